package org.relaxvm.cli.check;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.cli.spi.CaseContext;
import org.relaxvm.cli.spi.CaseFormat;
import org.relaxvm.cli.spi.CaseResult;
import org.relaxvm.cli.spi.CaseResult.Verdict;
import org.relaxvm.vmcore.vm.VirtualMachine;

/** Case folders: {@code case.json}, a program and tensor files. */
public final class CaseFolderFormat implements CaseFormat {
  /** Called by {@link java.util.ServiceLoader}. */
  public CaseFolderFormat() {}

  @Override
  public String name() {
    return "case";
  }

  @Override
  public String description() {
    return "a folder with case.json, a program and tensor files";
  }

  @Override
  public boolean accepts(Path path) {
    return Files.isRegularFile(path.resolve(CaseFile.NAME));
  }

  @Override
  public void check(Path path, CaseContext context) {
    CaseFile file = CaseFile.read(path);
    VirtualMachine linked;
    try {
      linked = context.link(context.load(file.program(), file.loadOptions()), file.devices());
    } catch (RelaxException e) {
      LinkVerdict failed = LinkVerdict.of(e);
      context.report(
          new CaseResult(nameOf(path), 0, "program", "", failed.verdict(), failed.reason()));
      return;
    }
    try (VirtualMachine vm = linked) {
      CaseRunner runner =
          new CaseRunner(
              vm,
              file,
              (expected, actual) -> context.difference(expected, actual, file.tolerance()));
      int index = 0;
      for (CaseRun run : file.runs()) {
        CaseRun.ExpectedError error = run.error();
        Optional<String> failure = failure(runner, run);
        context.report(
            new CaseResult(
                nameOf(path),
                index++,
                run.function(),
                error == null ? "" : " (must fail with " + error.kind() + ")",
                failure.isEmpty() ? Verdict.AGREES : Verdict.DIFFERS,
                failure.orElse("")));
      }
    }
  }

  private static String nameOf(Path path) {
    return String.valueOf(path.getFileName());
  }

  private static Optional<String> failure(CaseRunner runner, CaseRun run) {
    try {
      return runner.failure(run);
    } catch (RelaxException e) {
      // A run whose files cannot be read has failed; the others still run.
      return Optional.of(e.kind() + ": " + e.getMessage());
    }
  }
}
