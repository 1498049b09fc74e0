package org.relaxvm.integrationtests.programs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.backendcpu.CpuBackendProvider;
import org.relaxvm.backendtestkit.reference.ReferenceBackendProvider;
import org.relaxvm.backendtestkit.reference.ReferenceDevice;
import org.relaxvm.builtins.BuiltinFunctions;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.text.Assembler;
import org.relaxvm.vmcore.vm.CapturedCall;
import org.relaxvm.vmcore.vm.VirtualMachine;

/** Programs that were compiled for CUDA graphs, on a device that records work. */
class CudaGraphTest {
  // main(x) = 4 x: the memory between is allocated once, the two additions are one graph.
  private static final String PROGRAM =
      """
      relaxvm-text 1
      @main(x):
        call  vm.builtin.cuda_graph.get_cached_alloc  in: %vm, f[alloc], i0 dst: %1
        call  vm.builtin.make_tuple                   in: %0, %1 dst: %2
        call  vm.builtin.cuda_graph.run_or_capture    in: %vm, f[body], %2, i7, shape[4] dst: %3
        ret   %3
      @alloc():
        call  vm.builtin.alloc_storage  in: %vm, shape[16], i0, dtype uint8, "global" dst: %0
        call  vm.builtin.alloc_tensor   in: %0, i0, shape[4], dtype float32 dst: %0
        ret   %0
      @body(x, between):
        call  counted                   in: dst: %2
        call  relaxvm.add               in: %0, %0, %1 dst: %void
        call  vm.builtin.alloc_storage  in: %vm, shape[16], i0, dtype uint8, "global" dst: %2
        call  vm.builtin.alloc_tensor   in: %2, i0, shape[4], dtype float32 dst: %2
        call  relaxvm.add               in: %1, %1, %2 dst: %void
        ret   %2
      """;

  private final List<ReferenceDevice> devices = new ArrayList<>();
  private final AtomicInteger calls = new AtomicInteger();
  private final BackendRegistry registry =
      BackendRegistry.builder()
          .add(
              new ReferenceBackendProvider(
                  id -> {
                    ReferenceDevice device = new ReferenceDevice(id);
                    devices.add(device);
                    return device;
                  }))
          .add(new CpuBackendProvider())
          .add(new BuiltinFunctions())
          .build();

  @AfterEach
  void nothingIsLeft() {
    devices.forEach(device -> assertThat(device.liveBytes()).as("%s", device).isZero());
    registry.close();
  }

  private VirtualMachine vm(String program) {
    return VirtualMachine.builder(Program.of(Assembler.parse(program)))
        .registry(registry)
        .device("reference")
        .function("counted", (args, result) -> calls.incrementAndGet())
        .build();
  }

  private static Tensor on(VirtualMachine vm, float... elements) {
    return vm.upload(Tensor.of(elements, Shape.of(elements.length)));
  }

  private static float[] main(VirtualMachine vm, Tensor x) {
    try (Tensor result = vm.function("main").call(x).asTensor()) {
      return result.toHost().toFloatArray();
    }
  }

  private static void write(Tensor target, float... elements) {
    Tensor.of(elements, Shape.of(elements.length)).copyInto(target);
  }

  @Test
  void theFunctionIsCalledAndRecordedOnceThenItsWorkIsSubmitted() {
    try (VirtualMachine vm = vm(PROGRAM);
        Tensor x = on(vm, 1, 2, 3, 4)) {
      assertThat(main(vm, x)).containsExactly(4, 8, 12, 16);
      assertThat(calls).hasValue(2);
      write(x, 5, 6, 7, 8);
      assertThat(main(vm, x)).containsExactly(20, 24, 28, 32);
      write(x, 1, 0, 0, 1);
      assertThat(main(vm, x)).containsExactly(4, 0, 0, 4);
      assertThat(calls).hasValue(2);
    }
  }

  @Test
  void aRecordingForOtherMemoryIsNotUsed() {
    try (VirtualMachine vm = vm(PROGRAM);
        Tensor x = on(vm, 1, 2, 3, 4);
        Tensor y = on(vm, 5, 6, 7, 8)) {
      main(vm, x);
      assertThat(main(vm, y)).containsExactly(20, 24, 28, 32);
      assertThat(main(vm, x)).containsExactly(4, 8, 12, 16);
      assertThat(calls).hasValue(3);
    }
  }

  @Test
  void eachNumberAndShapeHasItsOwn() {
    String two =
        PROGRAM.replace(
            "  ret   %3\n@alloc",
            """
              call  vm.builtin.make_tuple                 in: %3, %1 dst: %2
              call  vm.builtin.cuda_graph.run_or_capture  in: %vm, f[body], %2, i8, shape[4] dst: %0
              ret   %0
            @alloc\
            """);
    try (VirtualMachine vm = vm(two);
        Tensor x = on(vm, 1, 2, 3, 4)) {
      for (int i = 0; i < 3; i++) {
        assertThat(main(vm, x)).containsExactly(16, 32, 48, 64);
        write(x, 1, 2, 3, 4);
      }
    }
  }

  @Test
  void whatCannotBeRecordedIsCalledEachTime() {
    String reading =
        PROGRAM.replace(
            "  call  counted                   in: dst: %2\n",
            """
              call  counted                   in: dst: %2
              call  vm.builtin.to_device      in: %0, i1, i0 dst: %2
            """);
    try (VirtualMachine vm = vm(reading);
        Tensor x = on(vm, 1, 2, 3, 4)) {
      assertThat(main(vm, x)).containsExactly(4, 8, 12, 16);
      assertThat(calls).hasValue(2);
      write(x, 5, 6, 7, 8);
      assertThat(main(vm, x)).containsExactly(20, 24, 28, 32);
      assertThat(main(vm, x)).containsExactly(20, 24, 28, 32);
      assertThat(calls).hasValue(4);
    }
  }

  @Test
  void threadsHaveRecordingsOfTheirOwn() throws Exception {
    try (VirtualMachine vm = vm(PROGRAM);
        ExecutorService threads = Executors.newFixedThreadPool(4)) {
      List<Future<?>> ends = new ArrayList<>();
      for (int thread = 1; thread <= 4; thread++) {
        int number = thread;
        ends.add(
            threads.submit(
                () -> {
                  try (Tensor x = on(vm, number, 0, 0, number)) {
                    for (int i = 0; i < 50; i++) {
                      assertThat(main(vm, x)).containsExactly(4 * number, 0, 0, 4 * number);
                    }
                  }
                  return null;
                }));
      }
      for (Future<?> end : ends) {
        end.get();
      }
      assertThat(calls).hasValue(8);
    }
  }

  @Test
  void aCallThatIsCapturedAsAWholeContainsTheGraph() {
    try (VirtualMachine vm = vm(PROGRAM);
        Tensor x = on(vm, 1, 2, 3, 4);
        CapturedCall call = vm.capture("main", x)) {
      assertThat(call.size()).isEqualTo(2);
      for (int i = 1; i < 4; i++) {
        write(x, i, 0, 0, i);
        try (Tensor result = call.replay().asTensor()) {
          assertThat(result.toHost().toFloatArray()).containsExactly(4 * i, 0, 0, 4 * i);
        }
      }
    }
  }
}
