package org.relaxvm.interoponnx.cases;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.interoponnx.OnnxModel;
import org.relaxvm.testsupport.ExpectedFailures;
import org.relaxvm.testsupport.NameFilter;
import org.relaxvm.vmcore.vm.VirtualMachine;

/**
 * The conformance cases of the ONNX project on the CPU. Cases whose axes and shapes are inputs run
 * twice: as they are, and with these inputs as constants of the model.
 */
class ConformanceTest {
  private static final Path FOLDER = Path.of("../../shared/onnx-tests");
  private static final NameFilter FILTER = NameFilter.of("relaxvm.onnx");
  private static final int LEAST = 1_481;
  private static final int NAMES = 3;

  /** What ran in one way, and what failed. */
  private record Outcome(
      String title, Set<String> tested, Map<String, String> failures, Set<String> ofShapes) {
    Outcome(String title) {
      this(
          title,
          new ConcurrentSkipListSet<>(),
          new ConcurrentSkipListMap<>(),
          new ConcurrentSkipListSet<>());
    }

    int passed() {
      return tested.size() - failures.size();
    }

    long passedOfShapes() {
      return ofShapes.stream().filter(name -> !failures.containsKey(name)).count();
    }
  }

  private final Outcome asGiven = new Outcome("as given");
  private final Outcome frozen = new Outcome("axes and shapes as constants");

  @Test
  void casesOfTheProject() throws InterruptedException, ExecutionException {
    Assumptions.assumeTrue(
        Files.isDirectory(FOLDER), () -> "there are no cases: " + FOLDER.toAbsolutePath());
    List<OnnxCase> cases = cases();
    try (BackendRegistry registry = BackendRegistry.discover();
        ExecutorService threads =
            Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors())) {
      CaseRunner runner =
          new CaseRunner(
              program -> VirtualMachine.builder(program).registry(registry).device("cpu:0").build(),
              1e-3,
              1e-5);
      List<Future<?>> runs = new ArrayList<>();
      cases.forEach(testCase -> runs.add(threads.submit(() -> run(runner, testCase))));
      for (Future<?> run : runs) {
        run.get();
      }
    }
    print();
    ExpectedFailures expected = ExpectedFailures.read(ConformanceTest.class, "failures.tsv");
    assertThat(expected.differences(asGiven.tested, asGiven.failures)).isEmpty();
    assertThat(expected.differences(frozen.tested, frozen.failures)).isEmpty();
    assertThat(asGiven.passed()).isGreaterThanOrEqualTo(FILTER.isGiven() ? 0 : LEAST);
  }

  private static List<OnnxCase> cases() {
    List<OnnxCase> cases = new ArrayList<>();
    for (String archive : List.of("node", "simple", "pytorch-operator", "pytorch-converted")) {
      cases.addAll(OnnxCase.read(FOLDER.resolve(archive + ".zip")));
    }
    return cases.stream().filter(testCase -> FILTER.matches(testCase.name())).toList();
  }

  private void run(CaseRunner runner, OnnxCase testCase) {
    Set<String> shapes =
        ShapeInputs.of(OnnxModel.of(testCase.name(), testCase.model(), testCase.folder()).proto());
    run(runner, testCase, Set.of(), asGiven);
    if (!shapes.isEmpty()) {
      asGiven.ofShapes.add(testCase.name());
      run(runner, testCase, shapes, frozen);
    }
  }

  private static void run(
      CaseRunner runner, OnnxCase testCase, Set<String> constants, Outcome outcome) {
    outcome.tested.add(testCase.name());
    for (OnnxCase.DataSet set : testCase.sets()) {
      Optional<String> problem = runner.problem(testCase, set, constants);
      problem.ifPresent(text -> outcome.failures.put(testCase.name(), text));
    }
  }

  private void print() {
    for (Outcome outcome : List.of(asGiven, frozen)) {
      System.out.println(
          outcome.title + ": " + outcome.passed() + " of " + outcome.tested.size() + " passed");
      Map<String, List<String>> byReason = new TreeMap<>();
      outcome.failures.forEach(
          (name, reason) ->
              byReason
                  .computeIfAbsent(reason.replaceAll("[-0-9.]+", "#"), key -> new ArrayList<>())
                  .add(name));
      byReason.forEach(
          (reason, names) ->
              System.out.println(
                  "  %d  %s  %s"
                      .formatted(
                          names.size(), reason, names.subList(0, Math.min(NAMES, names.size())))));
    }
    System.out.println(
        "axes and shapes as inputs, of these as given: %d of %d passed"
            .formatted(asGiven.passedOfShapes(), asGiven.ofShapes.size()));
  }
}
