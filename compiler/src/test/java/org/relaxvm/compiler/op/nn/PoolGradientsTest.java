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
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.op.OpDef;

class PoolGradientsTest {
  private static final Attrs TWO = Attrs.of("pool_size", List.of(2, 2));

  private static float[] gradient(OpDef op, Attrs attrs, int windows, float[] gradient, float[] x) {
    Call call =
        Call.of(op, List.of(floats("g", 1, 1, windows, windows), floats("x", 1, 1, 3, 3)), attrs);
    return compute(
            call,
            Tensor.of(gradient, Shape.of(1, 1, windows, windows)),
            Tensor.of(x, Shape.of(1, 1, 3, 3)))
        .getFirst()
        .toFloatArray();
  }

  @Test
  void theTypeIsThatOfTheData() {
    Object n = symbol("n");
    assertThat(
            textOf(
                Call.of(
                    PoolGradients.AVG_POOL2D_BACKWARD,
                    List.of(floats("g", n, 2, 3, 3), floats("x", n, 2, 6, 6)),
                    TWO.with("strides", List.of(2, 2)))))
        .isEqualTo("R.Tensor((n, 2, 6, 6), dtype=\"float32\")");
    assertThat(
            messageOf(
                Call.of(
                    PoolGradients.MAX_POOL2D_BACKWARD,
                    List.of(floats("g", 1, 2, 3, 4), floats("x", 1, 2, 6, 6)),
                    TWO.with("strides", List.of(2, 2)))))
        .isEqualTo(
            "grad.max_pool2d_backward: the extents of axis 3 of the windows and of output_grad must"
                + " be equal, but are 3 and 4");
    assertThat(
            messageOf(
                Call.of(
                    PoolGradients.MAX_POOL2D_BACKWARD,
                    List.of(floats("g", 1, 2, 5, 5), floats("x", 1, 2, 6, 6)),
                    TWO.with("out_layout", "NHWC"))))
        .isEqualTo("grad.max_pool2d_backward: out_layout must be the layout NCHW, but is NHWC");
  }

  @Test
  void elementsShareTheGradientOfTheirWindows() {
    float[] x = new float[9];
    assertThat(gradient(PoolGradients.AVG_POOL2D_BACKWARD, TWO, 2, new float[] {4, 8, 12, 16}, x))
        .containsExactly(1, 3, 2, 4, 10, 6, 3, 7, 4);
    // At the corner of the padding a window has one element, or counts four.
    Attrs padded = TWO.with("padding", List.of(1, 1, 1, 1)).with("strides", List.of(4, 4));
    float[] one = {4};
    assertThat(gradient(PoolGradients.AVG_POOL2D_BACKWARD, padded, 1, one, x))
        .containsExactly(4, 0, 0, 0, 0, 0, 0, 0, 0);
    assertThat(
            gradient(
                PoolGradients.AVG_POOL2D_BACKWARD,
                padded.with("count_include_pad", true),
                1,
                one,
                x))
        .containsExactly(1, 0, 0, 0, 0, 0, 0, 0, 0);
  }

  @Test
  void theFirstOfTheLargestElementsHasTheGradientOfItsWindow() {
    float[] x = {1, 5, 5, 0, 5, 2, 7, Float.NaN, 3};
    assertThat(gradient(PoolGradients.MAX_POOL2D_BACKWARD, TWO, 2, new float[] {4, 8, 12, 16}, x))
        .containsExactly(0, 12, 0, 0, 0, 0, 0, 28, 0);
  }
}
