package org.relaxvm.cli.check;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Managed;
import org.relaxvm.api.Value;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.cli.input.MainDevice;
import org.relaxvm.vmcore.vm.VirtualMachine;

/** Runs the runs of a case on a VM and judges each. */
public final class CaseRunner {
  private final VirtualMachine vm;
  private final CaseFile file;
  private final CaseValues values;
  private final Comparison comparison;

  /** Creates a runner; the VM stays the caller's. */
  public CaseRunner(VirtualMachine vm, CaseFile file) {
    this.vm = vm;
    this.file = file;
    this.values = new CaseValues(file.folder());
    this.comparison = new Comparison(file.tolerance());
  }

  /** Does one run; empty when it passed, else what was wrong. */
  public Optional<String> failure(CaseRun run) {
    @Nullable Object[] args = new Object[run.args().size()];
    try {
      for (int i = 0; i < args.length; i++) {
        args[i] = MainDevice.upload(vm, values.read(run.args().get(i)));
      }
      return judge(run, args);
    } finally {
      for (Object arg : args) {
        close(arg);
      }
    }
  }

  private Optional<String> judge(CaseRun run, @Nullable Object[] args) {
    CaseRun.ExpectedError expected = run.error();
    try (Value result = vm.function(run.function()).call(args)) {
      if (expected != null) {
        return Optional.of(
            "expected "
                + expected.kind()
                + " '"
                + expected.message()
                + "', but the call succeeded");
      }
      Object want = values.read(run.results());
      try {
        return comparison.difference(want, result.object());
      } finally {
        close(want);
      }
    } catch (RelaxException e) {
      return expected == null
          ? Optional.of(e.kind() + ": " + e.getMessage())
          : compare(expected, e);
    }
  }

  private static Optional<String> compare(CaseRun.ExpectedError expected, RelaxException error) {
    String want = ErrorText.withoutPrefix(expected.message());
    String text = error.tvmMessage().orElse(error.summary());
    String firstLine = text.lines().findFirst().orElse("").strip();
    boolean sameText = text.strip().equals(want) || firstLine.equals(want);
    if (sameText && error.kind().text().equals(expected.kind())) {
      return Optional.empty();
    }
    return Optional.of(
        "expected " + expected.kind() + ": " + want + "\n but got " + error.kind() + ": " + text);
  }

  /** The case that is run. */
  public CaseFile file() {
    return file;
  }

  private static void close(@Nullable Object value) {
    if (value instanceof Managed managed) {
      managed.close();
    }
  }
}
