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
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.tir.op.image.ResizeAttrs;

class ImagesTest {
  private static final RelaxVar X = floats("x", 1, 2, 4, 6);

  private static Call resize(RelaxVar x, Attrs attrs) {
    return Call.of(Images.RESIZE2D, List.of(x, ShapeExpr.of(8, 9)), attrs);
  }

  @Test
  void derivesTheType() {
    assertThat(textOf(resize(X, Attrs.NONE)))
        .isEqualTo("R.Tensor((1, 2, 8, 9), dtype=\"float32\")");
    assertThat(textOf(resize(X, Attrs.of("layout", "NHWC").with("out_dtype", "int8"))))
        .isEqualTo("R.Tensor((1, 8, 9, 6), dtype=\"int8\")");
    assertThat(textOf(resize(unknown("x"), Attrs.NONE))).isEqualTo("R.Tensor(ndim=4)");
    assertThat(textOf(resize(floats("x", symbol("n"), 2, symbol("h"), 4), Attrs.NONE)))
        .isEqualTo("R.Tensor((n, 2, 8, 9), dtype=\"float32\")");
    RelaxVar size = new RelaxVar("s", ShapeType.ofRank(2));
    assertThat(textOf(Call.of(Images.RESIZE2D, X, size)))
        .isEqualTo("R.Tensor(dtype=\"float32\", ndim=4)");
    assertThat(
            textOf(
                Images.resize3d(
                    floats("x", 1, 2, 4, 6, 8),
                    ShapeExpr.of(2, 3, symbol("w")),
                    ResizeAttrs.of(
                        "NCDHW",
                        ResizeAttrs.Method.LINEAR,
                        ResizeAttrs.Coordinates.ALIGN_CORNERS))))
        .isEqualTo("R.Tensor((1, 2, 2, 3, w), dtype=\"float32\")");
  }

  @Test
  void writesAllAttributes() {
    assertThat(
            Images.resize2d(
                X,
                ShapeExpr.of(8, 9),
                ResizeAttrs.Method.NEAREST_NEIGHBOR,
                ResizeAttrs.Coordinates.ASYMMETRIC))
        .hasToString(
            "R.image.resize2d(x, R.shape([8, 9]), roi=[0.0, 0.0, 0.0, 0.0], layout=NCHW,"
                + " method=nearest_neighbor, coordinate_transformation_mode=asymmetric,"
                + " rounding_method=round, cubic_alpha=-0.75, cubic_exclude=0,"
                + " extrapolation_value=0.0)");
  }

  static Stream<Arguments> mistakes() {
    return Stream.of(
        Arguments.of(
            resize(floats("x", 2, 4, 6), Attrs.NONE),
            "image.resize2d: the argument data must be a tensor with 4 axes, but is"
                + " R.Tensor((2, 4, 6), dtype=\"float32\")"),
        Arguments.of(
            resize(tensor("x", DType.BOOL, 1, 2, 4, 6), Attrs.NONE),
            "image.resize2d: the argument data must be a tensor of numbers, but is"
                + " R.Tensor((1, 2, 4, 6), dtype=\"bool\")"),
        Arguments.of(
            Call.of(Images.RESIZE2D, X, ShapeExpr.of(8)),
            "image.resize2d: the argument size must be a shape of 2 extents, but is R.Shape([8])"),
        Arguments.of(
            Call.of(Images.RESIZE2D, X, X),
            "image.resize2d: the argument size must be a shape, but is"
                + " R.Tensor((1, 2, 4, 6), dtype=\"float32\")"),
        Arguments.of(
            resize(X, Attrs.of("method", "bilinear")),
            "image.resize2d: method must be one of nearest_neighbor, linear, cubic, but is"
                + " \"bilinear\""),
        Arguments.of(
            resize(X, Attrs.of("rounding_method", "up")),
            "image.resize2d: rounding_method must be one of round, round_prefer_floor,"
                + " round_prefer_ceil, floor, ceil, but is \"up\""),
        Arguments.of(
            resize(X, Attrs.of("coordinate_transformation_mode", "half")),
            "image.resize2d: coordinate_transformation_mode must be one of half_pixel,"
                + " half_pixel_symmetric, pytorch_half_pixel, align_corners, asymmetric,"
                + " tf_half_pixel_for_nn, tf_crop_and_resize, but is \"half\""),
        Arguments.of(
            resize(X, Attrs.of("layout", "CHWN4n")),
            "image.resize2d: layout must have each letter of NCHW once, but is \"CHWN4n\""),
        Arguments.of(
            resize(
                X,
                Attrs.of("roi", List.of(0, 1))
                    .with("coordinate_transformation_mode", "tf_crop_and_resize")),
            "image.resize2d: roi must be 4 numbers, all starts and then all ends, but is"
                + " [0.0, 1.0]"),
        Arguments.of(
            resize(X, Attrs.of("roi", List.of("a"))),
            "the attribute roi must be a list of numbers, but is [a]"),
        Arguments.of(
            resize(X, Attrs.of("out_dtype", "bool")),
            "image.resize2d: out_dtype must be a dtype of numbers, but is bool"));
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void refusesWhatIsCertainlyWrong(Call call, String message) {
    assertThat(messageOf(call)).isEqualTo(message);
  }

  @Test
  void computesByTheAttributes() {
    RelaxVar line = floats("x", 1, 1, 1, 2);
    Tensor data = Tensor.of(new float[] {0, 4}, Shape.of(1, 1, 1, 2));
    Attrs attrs = Attrs.of("coordinate_transformation_mode", "align_corners");
    Call linear = Call.of(Images.RESIZE2D, List.of(line, ShapeExpr.of(1, 5)), attrs);
    assertThat(compute(linear, data).getFirst().toFloatArray()).containsExactly(0, 1, 2, 3, 4);
    Call nearest =
        Images.resize2d(
            line,
            ShapeExpr.of(1, 4),
            ResizeAttrs.Method.NEAREST_NEIGHBOR,
            ResizeAttrs.Coordinates.ASYMMETRIC);
    assertThat(compute(nearest, data).getFirst().toFloatArray()).containsExactly(0, 0, 4, 4);
  }
}
