package org.relaxvm.backendopencl;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.backendopencl.driver.HandleKind;
import org.relaxvm.backendopencl.driver.JoclDriver;
import org.relaxvm.builtins.BuiltinFunctions;
import org.relaxvm.vmcore.program.KernelModule;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.program.ProgramMetadata;
import org.relaxvm.vmcore.text.Assembler;
import org.relaxvm.vmcore.vm.VirtualMachine;

/** Makes and closes virtual machines again and again, and says what is left. */
public final class OpenClCycles {
  private static final int CYCLES = 200;
  private static final int LINES = 10;

  private static final Program PROGRAM =
      Program.of(
          Assembler.parse(
              """
              @main(x):
                call  vm.builtin.alloc_storage  in: %vm, shape[12], i0, dtype uint8, "global" dst: %1
                call  vm.builtin.alloc_tensor   in: %1, i0, shape[3], dtype float32 dst: %2
                call  negated  in: %0, %2 dst: %void
                ret   %2
              """),
          ProgramMetadata.EMPTY,
          List.of(new KernelModule("opencl", NegatedKernel.module().image())));

  private OpenClCycles() {}

  /** Prints ten lines. */
  public static void main(String[] args) throws IOException {
    for (int cycle = 1; cycle <= CYCLES; cycle++) {
      Map<HandleKind, Long> live = use();
      if (cycle % (CYCLES / LINES) == 0) {
        System.out.printf("cycles=%d handles=%s rss_kib=%d%n", cycle, live, residentKib());
      }
    }
  }

  private static Map<HandleKind, Long> use() {
    JoclDriver driver = JoclDriver.load();
    try (BackendRegistry registry =
            BackendRegistry.builder()
                .add(new OpenClBackendProvider(() -> driver))
                .add(new HostProvider())
                .add(new BuiltinFunctions())
                .build();
        VirtualMachine vm =
            VirtualMachine.builder(PROGRAM).registry(registry).device("opencl:0").build();
        Tensor x = vm.upload(Tensor.of(new float[] {1, 2, 3}, Shape.of(3)));
        Tensor negated = vm.function("main").call(x).asTensor()) {
      if (negated.toHost().toFloatArray()[2] != -3) {
        throw new IllegalStateException("the kernel gave " + negated.toHost());
      }
    }
    return driver.liveHandles();
  }

  private static long residentKib() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith("VmRSS:")) {
        return Long.parseLong(line.replaceAll("\\D", ""));
      }
    }
    throw new IOException("/proc/self/status has no line VmRSS");
  }
}
