package org.relaxvm.interoptvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.relaxvm.interoptvm.PretendBackend.dense;
import static org.relaxvm.interoptvm.PretendBackend.softmax;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.io.Npy;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.vmcore.program.LoadOptions;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.vm.VirtualMachine;

/** Compiled code of the host that launches kernels of a device. */
class DeviceKernelsTest {
  private static final Path GOLDEN = Path.of("../../shared/golden");
  private static final Map<String, PackedFunc> OPENCL =
      Map.of(
          "fused_matmul_add_relu_kernel", dense(0, 3, 1, 2, true),
          "fused_matmul1_add1_relu1_kernel", dense(0, 1, 2, 3, true),
          "fused_matmul2_add2_kernel", dense(0, 1, 2, 3, false),
          "softmax_kernel", softmax(0, 1, 10));

  @ParameterizedTest
  @CsvSource({"07-mlp-opencl,opencl,opencl-c", "09-mlp-cuda,cuda,cuda-c"})
  void hostCodeLaunchesKernelsWithTheirMemory(String name, String kind, String format)
      throws Exception {
    Path folder = GOLDEN.resolve(name);
    boolean fits =
        Files.isDirectory(folder)
            && System.getProperty("os.name").equals("Linux")
            && System.getProperty("os.arch").equals("amd64");
    if (!fits) {
      System.out.println("skipped: no golden artefacts for this machine at " + folder);
    }
    Assumptions.assumeTrue(fits, "no golden artefacts for this machine");
    Program program =
        Program.load(folder.resolve("model.so"), LoadOptions.DEFAULT.withNativeCode(true));
    PretendBackend backend = new PretendBackend(kind, format, OPENCL);
    try (BackendRegistry registry =
            BackendRegistry.builder()
                .discover(DeviceKernelsTest.class.getClassLoader())
                .add(backend)
                .build();
        VirtualMachine vm =
            VirtualMachine.builder(program).registry(registry).device(kind).build()) {
      long constants = vm.memoryStats().getFirst().liveBlocks();
      for (int run = 0; run < 3; run++) {
        try (Tensor x = Npy.read(folder.resolve("run" + run + "_arg0.npy"));
            Tensor expected = Npy.read(folder.resolve("run" + run + "_res.npy"));
            Tensor there = vm.upload(x);
            Tensor result = vm.function("main").call(there).asTensor()) {
          assertThat(result.shape()).isEqualTo(expected.shape());
          assertThat(result.toFloatArray()).containsExactly(expected.toFloatArray(), within(1e-4f));
        }
      }
      assertThat(backend.launches)
          .startsWith(
              List.of(
                      "fused_matmul_add_relu_kernel",
                      "fused_matmul1_add1_relu1_kernel",
                      "fused_matmul2_add2_kernel",
                      "softmax_kernel")
                  .toArray(String[]::new));
      assertThat(vm.memoryStats().getFirst().liveBlocks()).isEqualTo(constants);
    }
  }
}
