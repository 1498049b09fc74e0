package org.relaxvm.backendcpu.codegen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.DType;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.DeviceOutOfMemoryException;
import org.relaxvm.api.host.HostDevice;
import org.relaxvm.api.memory.AllocatorOptions;
import org.relaxvm.api.memory.PooledAllocator;
import org.relaxvm.api.parallel.WorkerPool;
import org.relaxvm.backendcpu.PoolContext;

/** Temporary buffers of kernels are memory of the call's allocator. */
class ScratchMemoryTest {
  private static final int ELEMENTS = 1 << 16;

  /** A kernel with a buffer of its own, as it is written: a schedule might leave the buffer out. */
  private static final PackedFunc KERNEL =
      GeneratedKernels.compileUnscheduled(
          GeneratedKernels.kernel(
              """
              @T.prim_func(private=True)
              def reversed_twice(A: T.Buffer((n,), "float32"), C: T.Buffer((n,), "float32")):
                  n = T.int64()
                  B = T.alloc_buffer((n,), "float32")
                  for i in range(n):
                      B[n - 1 - i] = A[i]
                  for i in range(n):
                      C[n - 1 - i] = B[i]
              """));

  private static void call(PooledAllocator allocator) {
    try (Tensor in = Tensor.zeros(DType.FLOAT32, Shape.of(ELEMENTS));
        Tensor out = Tensor.zeros(DType.FLOAT32, Shape.of(ELEMENTS))) {
      KERNEL.call(
          CallArgs.of(new PoolContext(WorkerPool.shared(), allocator), new Object[] {in, out}),
          new CallResult());
    }
  }

  @Test
  void temporaryBuffersAreReservedFromTheAllocatorAndGivenBackByTrim() {
    try (PooledAllocator allocator = new PooledAllocator(HostDevice.INSTANCE)) {
      call(allocator);
      call(allocator);
      assertThat(allocator.stats().liveBlocks()).isZero();
      assertThat(allocator.stats().allocations()).isEqualTo(2);
      assertThat(allocator.stats().deviceAllocations()).isEqualTo(1);
      assertThat(allocator.stats().reservedBytes())
          .isGreaterThanOrEqualTo((long) ELEMENTS * Float.BYTES);
      allocator.trim();
      assertThat(allocator.stats().reservedBytes()).isZero();
    }
  }

  @Test
  void aBudgetBoundsTemporaryBuffers() {
    AllocatorOptions options = AllocatorOptions.DEFAULT.withBudget(ELEMENTS);
    try (PooledAllocator allocator = new PooledAllocator(HostDevice.INSTANCE, options)) {
      assertThatThrownBy(() -> call(allocator)).isInstanceOf(DeviceOutOfMemoryException.class);
      assertThat(allocator.stats().liveBlocks()).isZero();
    }
  }
}
