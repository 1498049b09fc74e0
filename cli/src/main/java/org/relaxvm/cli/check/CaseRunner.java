package org.relaxvm.cli.check;

import java.util.Optional;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Managed;
import org.relaxvm.api.Value;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.vmcore.vm.VirtualMachine;

/** Runs the runs of a case on a VM and judges each. */
public final class CaseRunner {
  private final VirtualMachine vm;
  private final CaseFile file;
  private final CaseValues values;
  private final BiFunction<@Nullable Object, @Nullable Object, Optional<String>> comparison;

  /** Creates a runner that compares with the tolerance of the case; the VM stays the caller's. */
  public CaseRunner(VirtualMachine vm, CaseFile file) {
    this(vm, file, new Comparison(file.tolerance(), 0)::difference);
  }

  /** Creates a runner; the VM stays the caller's. */
  CaseRunner(
      VirtualMachine vm,
      CaseFile file,
      BiFunction<@Nullable Object, @Nullable Object, Optional<String>> comparison) {
    this.vm = vm;
    this.file = file;
    this.values = new CaseValues(file.folder().resolve(CaseFile.NAME), CaseValues.Extension.NONE);
    this.comparison = comparison;
  }

  /** Does one run; empty when it passed, else what was wrong. */
  public Optional<String> failure(CaseRun run) {
    @Nullable Object[] args = new Object[run.args().size()];
    try {
      for (int i = 0; i < args.length; i++) {
        Object notation = run.args().get(i);
        args[i] = CaseDevices.place(vm, CaseValues.device(notation), values.read(notation));
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
        return comparison.apply(want, result.object());
      } finally {
        close(want);
      }
    } catch (RelaxException e) {
      return expected == null
          ? Optional.of(e.kind() + ": " + e.getMessage())
          : ErrorText.difference(expected, e);
    }
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
