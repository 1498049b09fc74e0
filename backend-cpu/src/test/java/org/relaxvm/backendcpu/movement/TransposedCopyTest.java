package org.relaxvm.backendcpu.movement;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.backendcpu.element.Operand;
import org.relaxvm.backendcpu.element.Sweep;

class TransposedCopyTest {
  @Test
  void onlyCopiesThatSkipThroughMemoryGoInSquares() {
    Tensor x = Tensor.zeros(DType.FLOAT32, Shape.of(40, 50));
    Tensor turned = Tensor.zeros(DType.FLOAT32, Shape.of(50, 40));
    assertThat(fits(Operand.of(x).axes(1, 0), Operand.of(turned))).isTrue();
    assertThat(fits(Operand.of(x), Operand.of(turned).axes(1, 0))).isTrue();
    assertThat(fits(Operand.of(x), Operand.of(turned.reshape(Shape.of(40, 50))))).isFalse();
    Operand row = Operand.of(Tensor.zeros(DType.FLOAT32, Shape.of(1, 50)));
    assertThat(fits(row.broadcastTo(Shape.of(40, 50)), Operand.of(x))).isFalse();
    Tensor narrow = Tensor.zeros(DType.FLOAT32, Shape.of(50, 4));
    assertThat(fits(Operand.of(narrow).axes(1, 0), Operand.of(narrow.reshape(Shape.of(4, 50)))))
        .isFalse();
  }

  private static boolean fits(Operand from, Operand to) {
    return TransposedCopy.fits(new Sweep(1024, from, to), Float.BYTES);
  }
}
