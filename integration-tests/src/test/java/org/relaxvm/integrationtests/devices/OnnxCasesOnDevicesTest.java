package org.relaxvm.integrationtests.devices;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.interoponnx.cases.CaseRunner;
import org.relaxvm.interoponnx.cases.OnnxCase;
import org.relaxvm.testsupport.Effort;
import org.relaxvm.testsupport.ExpectedFailures;
import org.relaxvm.testsupport.NameFilter;
import org.relaxvm.testsupport.SampleSeed;
import org.relaxvm.vmcore.vm.VirtualMachine;

/**
 * The conformance cases of the ONNX project on devices: a tenth of them, chosen by a printed seed;
 * at full effort all, and those that {@code -Drelaxvm.onnx=} names.
 */
@Tag("effort")
class OnnxCasesOnDevicesTest {
  private static final Path FOLDER = Path.of("../../shared/onnx-tests");
  private static final NameFilter FILTER = NameFilter.of("relaxvm.onnx");
  private static final int PART = 10;

  @Test
  @NeedsDevice("opencl:0")
  void onOpenCl() {
    check("opencl:0");
  }

  @Test
  @NeedsDevice("vulkan:0")
  void onVulkan() {
    check("vulkan:0");
  }

  private static void check(String device) {
    Assumptions.assumeTrue(
        Files.isDirectory(FOLDER), () -> "there are no cases: " + FOLDER.toAbsolutePath());
    List<OnnxCase> cases = cases(device);
    Map<String, String> failures = new TreeMap<>();
    try (BackendRegistry registry = BackendRegistry.discover()) {
      CaseRunner runner =
          new CaseRunner(
              program -> VirtualMachine.builder(program).registry(registry).device(device).build(),
              1e-3,
              1e-5);
      for (OnnxCase testCase : cases) {
        for (OnnxCase.DataSet set : testCase.sets()) {
          runner
              .problem(testCase, set, Set.of())
              .ifPresent(problem -> failures.put(testCase.name(), problem));
        }
      }
    }
    failures.forEach((name, problem) -> System.out.println(device + ": " + name + ": " + problem));
    System.out.println(
        device + ": " + (cases.size() - failures.size()) + " of " + cases.size() + " passed");
    ExpectedFailures expected =
        ExpectedFailures.read(OnnxCasesOnDevicesTest.class, "onnx-failures.tsv");
    List<String> names = cases.stream().map(OnnxCase::name).toList();
    assertThat(expected.differences(names, failures)).as(device).isEmpty();
  }

  private static List<OnnxCase> cases(String device) {
    List<OnnxCase> all = new ArrayList<>();
    for (String archive : List.of("node", "simple", "pytorch-operator", "pytorch-converted")) {
      all.addAll(OnnxCase.read(FOLDER.resolve(archive + ".zip")));
    }
    if (FILTER.isGiven()) {
      return all.stream().filter(testCase -> FILTER.matches(testCase.name())).toList();
    }
    if (Effort.chosen().isComplete()) {
      return all;
    }
    long seed = SampleSeed.chosen();
    System.out.println(device + ": one in " + PART + " cases of ONNX, -Drelaxvm.seed=" + seed);
    Collections.shuffle(all, new Random(seed));
    return all.subList(0, all.size() / PART);
  }
}
