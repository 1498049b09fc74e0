package org.relaxvm.compiler.op.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.compiler.op.OpCalls.compute;
import static org.relaxvm.compiler.op.OpCalls.floats;
import static org.relaxvm.compiler.op.OpCalls.messageOf;
import static org.relaxvm.compiler.op.OpCalls.symbol;
import static org.relaxvm.compiler.op.OpCalls.tensor;
import static org.relaxvm.compiler.op.OpCalls.textOf;
import static org.relaxvm.compiler.op.OpCalls.unknown;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.ShapeExpr;

class ResamplingTest {
  private static final Attrs LAST = Attrs.of("axes", List.of(-1)).with("method", "linear");

  private static Call call(Attrs attrs, Expr... args) {
    return Call.of(Resampling.RESAMPLE, List.of(args), attrs);
  }

  @Test
  void derivesTheType() {
    assertThat(textOf(call(LAST, floats("x", symbol("n"), 4), ShapeExpr.of(8))))
        .isEqualTo("R.Tensor((n, 8), dtype=\"float32\")");
    assertThat(textOf(call(LAST, floats("x", 2, 4), ShapeExpr.of(symbol("m")))))
        .isEqualTo("R.Tensor((2, m), dtype=\"float32\")");
    assertThat(textOf(call(LAST, unknown("x"), ShapeExpr.of(8)))).isEqualTo("R.Tensor");
    Attrs moves = Attrs.of("axes", List.of(0));
    assertThat(textOf(call(moves, tensor("x", DType.BOOL, 3), ShapeExpr.of(6))))
        .isEqualTo("R.Tensor((6,), dtype=\"bool\")");
  }

  @Test
  void refusesWhatIsCertainlyWrong() {
    Expr x = floats("x", 2, 4);
    assertThat(messageOf(call(LAST, x, ShapeExpr.of(8, 8))))
        .isEqualTo(
            "image.resample: the argument size must be a shape of 1 extents, one for each of axes,"
                + " but is R.Shape([8, 8])");
    assertThat(messageOf(call(LAST.with("scales", List.of(1, 2)), x, ShapeExpr.of(8))))
        .isEqualTo("image.resample: scales must be 1 numbers for the axes, but is [1.0, 2.0]");
    assertThat(messageOf(call(LAST, x, ShapeExpr.of(8), floats("s", 2))))
        .isEqualTo(
            "image.resample: the extents of scales and its numbers must be equal, but are 2 and 1");
    assertThat(
            messageOf(
                call(
                    LAST.with("coordinate_transformation_mode", "tf_crop_and_resize"),
                    x,
                    ShapeExpr.of(8))))
        .isEqualTo("image.resample: tf_crop_and_resize needs a roi: all starts, then all ends");
    assertThat(messageOf(call(LAST, tensor("x", DType.BOOL, 2, 4), ShapeExpr.of(8))))
        .isEqualTo(
            "image.resample: the argument data must be a tensor of numbers, but is"
                + " R.Tensor((2, 4), dtype=\"bool\")");
  }

  @Test
  void coordinatesAreScaledByWhatIsGiven() {
    Tensor line = Tensor.of(new float[] {0, 10, 20, 30}, Shape.of(4));
    Attrs attrs =
        Attrs.of("axes", List.of(0))
            .with("method", "linear")
            .with("coordinate_transformation_mode", "asymmetric");
    Call quotient = call(attrs, floats("x", 4), ShapeExpr.of(2));
    assertThat(compute(quotient, line).getFirst().toFloatArray()).containsExactly(0, 20);
    Call given = call(attrs.with("scales", List.of(0.8)), floats("x", 4), ShapeExpr.of(3));
    assertThat(compute(given, line).getFirst().toFloatArray()).containsExactly(0, 12.5f, 25);
    Call computed = call(attrs, floats("x", 4), ShapeExpr.of(3), floats("s", 1));
    Tensor scale = Tensor.of(new float[] {0.8f}, Shape.of(1));
    assertThat(compute(computed, line, scale).getFirst().toFloatArray())
        .containsExactly(0, 12.5f, 25);
    Call none = call(attrs, floats("x", 4), ShapeExpr.of(2), floats("s", 0));
    assertThat(
            compute(none, line, Tensor.zeros(DType.FLOAT32, Shape.of(0))).getFirst().toFloatArray())
        .containsExactly(0, 20);
  }
}
