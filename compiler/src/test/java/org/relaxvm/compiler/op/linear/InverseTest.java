package org.relaxvm.compiler.op.linear;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.relaxvm.compiler.op.OpCalls.compute;
import static org.relaxvm.compiler.op.OpCalls.floats;
import static org.relaxvm.compiler.op.OpCalls.messageOf;
import static org.relaxvm.compiler.op.OpCalls.symbol;
import static org.relaxvm.compiler.op.OpCalls.textOf;

import org.junit.jupiter.api.Test;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;

class InverseTest {
  @Test
  void derivesTheType() {
    assertThat(textOf(Inverse.inverse(floats("x", symbol("b"), 3, 3))))
        .isEqualTo("R.Tensor((b, 3, 3), dtype=\"float32\")");
  }

  @Test
  void refusesMatricesThatAreNotSquare() {
    assertThat(messageOf(Inverse.inverse(floats("x", 2, 3))))
        .isEqualTo(
            "inverse: the extents of the last two axes of a square matrix must be equal, but are 2"
                + " and 3");
    assertThat(messageOf(Inverse.inverse(floats("x", 3))))
        .isEqualTo(
            "inverse: the argument x must be a tensor with 2 axes or more, but is"
                + " R.Tensor((3,), dtype=\"float32\")");
  }

  @Test
  void invertsMatricesWhosePivotsAreZero() {
    Tensor x = Tensor.of(new float[] {0, 2, 4, 1, 2, 0, 0, 4}, Shape.of(2, 2, 2));
    float[] y = compute(Inverse.inverse(floats("x", 2, 2, 2)), x).getFirst().toFloatArray();
    assertThat(y)
        .containsExactly(new float[] {-0.125f, 0.25f, 0.5f, 0, 0.5f, 0, 0, 0.25f}, within(1e-6f));
  }
}
