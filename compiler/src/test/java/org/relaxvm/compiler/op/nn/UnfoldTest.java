package org.relaxvm.compiler.op.nn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.compiler.op.OpCalls.compute;
import static org.relaxvm.compiler.op.OpCalls.floats;
import static org.relaxvm.compiler.op.OpCalls.messageOf;
import static org.relaxvm.compiler.op.OpCalls.symbol;
import static org.relaxvm.compiler.op.OpCalls.textOf;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.RelaxVar;

class UnfoldTest {
  private static Call unfold(RelaxVar x, List<Long> kernel, long stride, long dilation) {
    return Unfold.unfold(x, kernel, List.of(stride), List.of(dilation));
  }

  @Test
  void derivesTheShape() {
    assertThat(textOf(unfold(floats("x", symbol("n"), 2, 7, 5), List.of(3L, 2L), 2, 1)))
        .isEqualTo("R.Tensor((n, 2, 3, 2, 3, 2), dtype=\"float32\")");
  }

  @Test
  void refusesWhatIsCertainlyWrong() {
    assertThat(messageOf(unfold(floats("x", 1, 2, 3), List.of(0L), 1, 1)))
        .isEqualTo("nn.unfold: kernel_size must be numbers of at least 1, but is [0]");
    assertThat(messageOf(unfold(floats("x", 1, 2, 3), List.of(1L), 0, 1)))
        .isEqualTo("nn.unfold: strides must be 1 number of at least 1, but is [0]");
  }

  @Test
  void eachWindowIsAColumn() {
    Tensor x = Tensor.of(new float[] {0, 1, 2, 3, 4, 5, 6}, Shape.of(1, 1, 7));
    Tensor result = compute(unfold(floats("x", 1, 1, 7), List.of(2L), 2, 3), x).getFirst();
    assertThat(result.shape()).isEqualTo(Shape.of(1, 1, 2, 2));
    assertThat(result.toFloatArray()).containsExactly(0, 2, 3, 5);
  }
}
