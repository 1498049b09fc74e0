package org.relaxvm.backendcpu.constant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.BackendException;

class KeptConstantsTest {
  private record Doubled(long place) {}

  private final AtomicInteger made = new AtomicInteger();

  private int[] make(Doubled key) {
    made.incrementAndGet();
    return new int[] {(int) key.place()};
  }

  private static Tensor constant() {
    Tensor tensor = Tensor.of(new float[] {1, 2}, Shape.of(2));
    tensor.markConstant();
    return tensor;
  }

  @Test
  void makesAValueOnceForEachKey() {
    KeptConstants all = new KeptConstants(100);
    Tensor tensor = constant();
    int[] first = all.derive(tensor, new Doubled(0), 40, this::make);
    assertThat(all.derive(tensor, new Doubled(0), 40, this::make)).isSameAs(first);
    assertThat(all.derive(tensor, new Doubled(4), 40, this::make)).containsExactly(4);
    assertThat(made).hasValue(2);
    assertThat(all.bytes()).isEqualTo(80);
  }

  @Test
  void keepsNothingOfTensorsThatMayChange() {
    Tensor tensor = Tensor.of(new float[] {1, 2}, Shape.of(2));
    assertThat(new KeptConstants(100).<Doubled, int[]>derive(tensor, new Doubled(0), 4, this::make))
        .isNull();
    assertThat(made).hasValue(0);
  }

  @Test
  void keepsNothingBeyondTheLimit() {
    KeptConstants all = new KeptConstants(100);
    assertThat(all.<Doubled, int[]>derive(constant(), new Doubled(0), 101, this::make)).isNull();
    assertThat(all.<Doubled, int[]>derive(constant(), new Doubled(0), 100, this::make)).isNotNull();
    assertThat(
            new KeptConstants(0).<Doubled, int[]>derive(constant(), new Doubled(0), 0, this::make))
        .isNull();
  }

  @Test
  void aValueGoesWithItsConstant() throws InterruptedException {
    KeptConstants all = new KeptConstants(100);
    Tensor tensor = constant();
    assertThat(all.<Doubled, int[]>derive(tensor, new Doubled(0), 100, this::make)).isNotNull();
    tensor.close();
    for (int i = 0; i < 100 && all.bytes() > 0; i++) {
      System.gc();
      Thread.sleep(10);
    }
    assertThat(all.bytes()).isZero();
    assertThat(all.<Doubled, int[]>derive(constant(), new Doubled(0), 100, this::make)).isNotNull();
  }

  @Test
  void aFailureReservesNothing() {
    KeptConstants all = new KeptConstants(100);
    assertThatThrownBy(
            () ->
                all.<Doubled, int[]>derive(
                    constant(),
                    new Doubled(0),
                    100,
                    key -> {
                      throw new IllegalStateException("no " + key.place());
                    }))
        .hasMessage("no 0");
    assertThat(all.bytes()).isZero();
  }

  @Test
  void theLimitIsAShareOfTheHeapOrAsSet() {
    assertThat(KeepLimit.bytes(null, () -> 400)).isEqualTo(100);
    assertThat(KeepLimit.bytes("3", () -> 400)).isEqualTo(3 << 20);
    assertThat(KeepLimit.bytes("0", () -> 400)).isZero();
    assertThatThrownBy(() -> KeepLimit.bytes("4g", () -> 400))
        .isInstanceOf(BackendException.class)
        .hasMessageContaining("-Drelaxvm.cpu.keptConstants must be a number of MiB")
        .hasMessageContaining("'4g'");
  }
}
