package org.relaxvm.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StorageTailTest {
  @Test
  void theTailSharesTheMemoryAndKeepsItAlive() {
    Tensor whole = Tensor.of(new byte[] {1, 2, 3, 4}, Shape.of(4));
    Storage storage = whole.storage();
    Storage tail = storage.hostTail(3);
    whole.close();
    assertThat(storage.isLive()).isTrue();
    assertThat(tail.byteSize()).isEqualTo(1);
    try (Tensor last = Tensor.view(tail, 0, DType.INT8, Shape.of(1))) {
      assertThat(last.toLongArray()).containsExactly(4);
    }
    tail.close();
    assertThat(storage.isLive()).isFalse();
  }
}
