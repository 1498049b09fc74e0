package org.relaxvm.cli.check;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.cli.spi.CaseContext;
import org.relaxvm.cli.spi.CaseFormat;
import org.relaxvm.cli.spi.CaseResult;
import org.relaxvm.cli.spi.CaseResult.Verdict;
import org.relaxvm.interoponnx.cases.CaseRunner;
import org.relaxvm.interoponnx.cases.OnnxCase;

/** Conformance cases of ONNX, in folders and zip archives. */
public final class OnnxCaseFormat implements CaseFormat {
  // The tolerances of ONNX's own runner.
  private static final double RELATIVE_TOLERANCE = 1e-3;
  private static final double ABSOLUTE_TOLERANCE = 1e-7;

  /** Called by {@link java.util.ServiceLoader}. */
  public OnnxCaseFormat() {}

  @Override
  public String name() {
    return "onnx";
  }

  @Override
  public String description() {
    return "a folder with model.onnx and test_data_set_0, or a zip archive of such folders";
  }

  @Override
  public boolean accepts(Path path) {
    return OnnxCase.isCase(path);
  }

  @Override
  public void check(Path path, CaseContext context) {
    CaseRunner runner =
        new CaseRunner(
            program -> context.link(program, List.of("cpu")),
            context.relativeTolerance(RELATIVE_TOLERANCE),
            context.absoluteTolerance(ABSOLUTE_TOLERANCE));
    for (OnnxCase testCase : OnnxCase.read(path)) {
      for (OnnxCase.DataSet set : testCase.sets()) {
        Optional<String> failure = failure(runner, testCase, set);
        context.report(
            new CaseResult(
                testCase.name(),
                set.number(),
                "main",
                "",
                failure.isEmpty() ? Verdict.AGREES : Verdict.DIFFERS,
                failure.orElse("")));
      }
    }
  }

  private static Optional<String> failure(
      CaseRunner runner, OnnxCase testCase, OnnxCase.DataSet set) {
    try {
      return runner.run(testCase, set);
    } catch (RelaxException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }
}
