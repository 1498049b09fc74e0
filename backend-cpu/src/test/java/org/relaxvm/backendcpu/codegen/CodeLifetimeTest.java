package org.relaxvm.backendcpu.codegen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.relaxvm.api.DType;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.spi.BackendOptions;
import org.relaxvm.backendcpu.jit.MachineCode;
import org.relaxvm.backendcpu.jit.MachineTargets;
import org.relaxvm.backendcpu.jit.run.MachineKernels;
import org.relaxvm.machine.memory.CodeMemory;
import org.relaxvm.tir.verify.Verified;

/** Executable memory of a kernel is freed when neither a call nor a program refers to it. */
@Isolated
@Timeout(60)
class CodeLifetimeTest {
  private static final int CYCLES = 200;

  private final CodeMemory memory = new CodeMemory();

  @BeforeEach
  void needsMachineCode() {
    assumeTrue(MachineCode.current().isAvailable(), MachineCode.current().reason());
  }

  private PackedFunc compile(int number) {
    MachineKernels kernels = MachineTargets.kernels(MachineCode.current());
    return new KernelCompiler(
            Optional.empty(),
            Verified::of,
            Optional.of(new MachineKernels(kernels.fragments(), kernels.writer(), memory)),
            true,
            BackendOptions.none())
        .compile(
            GeneratedKernels.kernel(
                """
                @T.prim_func(private=True)
                def fill(C: T.Buffer((n,), "float32")):
                    n = T.int64()
                    for i in range(n):
                        C[i] = T.float32(%d)
                """
                    .formatted(number)),
            name -> Optional.empty());
  }

  private static void run(PackedFunc kernel, int number) {
    Tensor out = Tensor.zeros(DType.FLOAT32, Shape.of(20));
    GeneratedKernels.call(kernel, null, List.of(out));
    assertThat(out.toFloatArray()).containsOnly(number);
  }

  private boolean isEmptySoon() throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (memory.mappedBytes() > 0 && System.nanoTime() < end) {
      System.gc();
      Thread.sleep(20);
    }
    return memory.mappedBytes() == 0;
  }

  @Test
  void kernelsThatAreDroppedLeaveNoCode() throws InterruptedException {
    for (int i = 0; i < CYCLES; i++) {
      run(compile(i), i);
    }
    assertThat(isEmptySoon()).as("all code is freed").isTrue();
  }

  @Test
  void aKernelKeepsItsCode() throws InterruptedException {
    PackedFunc kept = compile(7);
    for (int i = 0; i < 5; i++) {
      run(compile(i), i);
      System.gc();
      Thread.sleep(20);
      run(kept, 7);
    }
    assertThat(memory.mappedBytes()).isPositive();
  }
}
