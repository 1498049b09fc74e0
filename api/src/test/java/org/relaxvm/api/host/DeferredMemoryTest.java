package org.relaxvm.api.host;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;

/** Memory that is filled when it is first used. */
class DeferredMemoryTest {
  private final AtomicInteger fills = new AtomicInteger();

  private void fill(MemorySegment memory) {
    fills.incrementAndGet();
    memory.setAtIndex(JAVA_FLOAT, 1, 2.5f);
  }

  @Test
  void isFilledAtItsFirstUseAndOnce() {
    Tensor tensor = Tensor.deferred(DType.FLOAT32, Shape.of(2, 2), this::fill);
    assertThat(tensor.byteSize()).isEqualTo(16);
    Tensor view = tensor.reshape(Shape.of(4));
    assertThat(fills).hasValue(0);
    assertThat(view.toFloatArray()).containsExactly(0, 2.5f, 0, 0);
    assertThat(tensor.toFloatArray()).containsExactly(0, 2.5f, 0, 0);
    assertThat(fills).hasValue(1);
    assertThat(tensor.segment().address() % HostDevice.ALIGNMENT).isZero();
  }

  @Test
  void manyThreadsGetTheSameMemory() throws Exception {
    DeferredMemory memory = new DeferredMemory(64, this::fill);
    try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
      List<Future<Long>> addresses = new ArrayList<>();
      for (int i = 0; i < 64; i++) {
        addresses.add(threads.submit(() -> memory.segment().address()));
      }
      for (Future<Long> address : addresses) {
        assertThat(address.get()).isEqualTo(memory.segment().address());
      }
    }
    assertThat(fills).hasValue(1);
  }

  @Test
  void isFilledAgainAfterAnException() {
    DeferredMemory memory =
        new DeferredMemory(
            64,
            segment -> {
              fill(segment);
              if (fills.get() == 1) {
                throw new IllegalStateException("the file is gone");
              }
            });
    assertThatThrownBy(memory::segment).hasMessage("the file is gone");
    assertThat(memory.isFilled()).isFalse();
    assertThat(memory.arena()).isNull();
    assertThat(memory.segment().getAtIndex(JAVA_FLOAT, 1)).isEqualTo(2.5f);
    assertThat(memory.isFilled()).isTrue();
    assertThat(memory.arena()).isNotNull();
  }
}
