package org.relaxvm.interoponnx.cases;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.testsupport.NameFilter;
import org.relaxvm.vmcore.vm.VirtualMachine;

/** The conformance cases of the ONNX project. */
class ConformanceTest {
  private static final Path FOLDER = Path.of("../../shared/onnx-tests");
  private static final NameFilter FILTER = NameFilter.of("relaxvm.onnx");

  @Test
  void casesOfTheProject() {
    Assumptions.assumeTrue(
        Files.isDirectory(FOLDER), () -> "there are no cases: " + FOLDER.toAbsolutePath());
    CaseRunner runner =
        new CaseRunner(
            program -> VirtualMachine.builder(program).device("cpu:0").build(), 1e-3, 1e-5);
    Map<String, List<String>> failures = new TreeMap<>();
    int passed = 0;
    int all = 0;
    for (String archive : List.of("node", "simple", "pytorch-operator", "pytorch-converted")) {
      for (OnnxCase testCase : OnnxCase.read(FOLDER.resolve(archive + ".zip"))) {
        if (FILTER.matches(testCase.name())) {
          all++;
          Optional<String> problem = problem(runner, testCase);
          if (problem.isEmpty()) {
            passed++;
          } else {
            failures.computeIfAbsent(problem.get(), key -> new ArrayList<>()).add(testCase.name());
          }
        }
      }
    }
    failures.forEach(
        (reason, names) ->
            System.out.println(
                names.size() + "  " + reason + "  " + names.subList(0, Math.min(3, names.size()))));
    System.out.println(passed + " of " + all + " passed");
    // Not right: images, random results, and those that the list above names.
    assertThat(passed).isGreaterThanOrEqualTo(FILTER.isGiven() ? 0 : 1_460);
  }

  private static Optional<String> problem(CaseRunner runner, OnnxCase testCase) {
    try {
      for (OnnxCase.DataSet set : testCase.sets()) {
        Optional<String> difference = runner.run(testCase, set, false);
        if (difference.isPresent()) {
          return Optional.of("difference: " + difference.get().replaceAll("[-0-9.eE]+", "#"));
        }
      }
      return Optional.empty();
    } catch (RelaxException e) {
      String text =
          e.getMessage()
              .lines()
              .skip(e.getMessage().contains("cannot be imported") ? 1 : 0)
              .findFirst()
              .orElse("");
      return Optional.of(text.replaceAll("at .*?:", "at #:").strip());
    } catch (RuntimeException | StackOverflowError e) {
      return Optional.of("crash: " + e);
    }
  }
}
