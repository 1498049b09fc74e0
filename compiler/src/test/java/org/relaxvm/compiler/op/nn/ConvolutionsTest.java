package org.relaxvm.compiler.op.nn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.compiler.op.OpCalls.compute;
import static org.relaxvm.compiler.op.OpCalls.floats;
import static org.relaxvm.compiler.op.OpCalls.messageOf;
import static org.relaxvm.compiler.op.OpCalls.ofRank;
import static org.relaxvm.compiler.op.OpCalls.symbol;
import static org.relaxvm.compiler.op.OpCalls.tensor;
import static org.relaxvm.compiler.op.OpCalls.textOf;
import static org.relaxvm.compiler.op.OpCalls.unknown;

import java.util.List;
import java.util.Optional;
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
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.VDevice;

class ConvolutionsTest {
  private static final ConvOptions PLAIN = ConvOptions.DEFAULT;

  private static Call conv2d(List<?> x, List<?> w, ConvOptions options) {
    return Convolutions.conv2d(floats("x", x.toArray()), floats("w", w.toArray()), options);
  }

  private static Call transposed(List<?> x, List<?> w, ConvOptions options) {
    return Convolutions.conv2dTranspose(
        floats("x", x.toArray()), floats("w", w.toArray()), options);
  }

  static Stream<Arguments> shapes() {
    List<Object> image = List.of(1, 3, 8, 10);
    List<Object> kernel = List.of(16, 3, 3, 3);
    Object n = symbol("n");
    Object h = symbol("h");
    return Stream.of(
        Arguments.of(conv2d(image, kernel, PLAIN), "(1, 16, 6, 8)"),
        Arguments.of(conv2d(image, kernel, PLAIN.withPadding(1)), "(1, 16, 8, 10)"),
        Arguments.of(conv2d(image, kernel, PLAIN.withPadding(1, 0)), "(1, 16, 8, 8)"),
        Arguments.of(conv2d(image, kernel, PLAIN.withPadding(0, 1, 2, 3)), "(1, 16, 8, 12)"),
        Arguments.of(conv2d(image, kernel, PLAIN.withPadding(-1)), "(1, 16, 4, 6)"),
        Arguments.of(conv2d(image, kernel, PLAIN.withStrides(2, 3)), "(1, 16, 3, 3)"),
        Arguments.of(conv2d(image, kernel, PLAIN.withDilation(2)), "(1, 16, 4, 6)"),
        Arguments.of(conv2d(image, List.of(6, 1, 3, 3), PLAIN.withGroups(3)), "(1, 6, 6, 8)"),
        Arguments.of(conv2d(image, List.of(16, 3, 9, 1), PLAIN), "(1, 16, 0, 10)"),
        Arguments.of(conv2d(List.of(0, 3, 8, 8), kernel, PLAIN), "(0, 16, 6, 6)"),
        Arguments.of(
            conv2d(List.of(n, 3, h, h), kernel, PLAIN.withPadding(1).withStrides(2)),
            "(n, 16, (h + 1) // 2, (h + 1) // 2)"),
        Arguments.of(conv2d(List.of(n, 3, h, 8), kernel, PLAIN), "(n, 16, h - 2, 6)"),
        Arguments.of(
            conv2d(List.of(1, 8, 10, 3), List.of(3, 3, 3, 16), PLAIN.withLayouts("NHWC", "HWIO")),
            "(1, 6, 8, 16)"),
        Arguments.of(
            conv2d(List.of(1, 3, 8, 10), kernel, PLAIN.withOutLayout("NHWC")), "(1, 6, 8, 16)"),
        Arguments.of(
            Convolutions.conv1d(floats("x", 2, 4, 9), floats("w", 5, 4, 3), PLAIN.withStrides(2)),
            "(2, 5, 4)"),
        Arguments.of(
            Convolutions.conv3d(
                floats("x", 2, 4, 9, 8, 7), floats("w", 5, 4, 3, 2, 1), PLAIN.withPadding(1, 2, 3)),
            "(2, 5, 9, 11, 13)"),
        Arguments.of(transposed(List.of(1, 4, 5, 6), List.of(4, 2, 3, 3), PLAIN), "(1, 2, 7, 8)"),
        Arguments.of(
            transposed(
                List.of(1, 4, 5, 6),
                List.of(4, 2, 3, 3),
                PLAIN.withStrides(2).withPadding(1).withOutputPadding(1, 0)),
            "(1, 2, 10, 11)"),
        Arguments.of(
            transposed(List.of(1, 4, 5, 6), List.of(4, 2, 2, 2), PLAIN.withGroups(2)),
            "(1, 4, 6, 7)"),
        Arguments.of(
            transposed(List.of(n, 4, h, 6), List.of(4, 2, 2, 2), PLAIN.withStrides(2)),
            "(n, 2, h * 2, 12)"),
        Arguments.of(
            Convolutions.conv1dTranspose(floats("x", 1, 2, 5), floats("w", 2, 3, 4), PLAIN),
            "(1, 3, 8)"),
        Arguments.of(
            Convolutions.conv3dTranspose(
                floats("x", 1, 2, 3, 4, 5), floats("w", 2, 3, 2, 2, 2), PLAIN),
            "(1, 3, 4, 5, 6)"));
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void derivesTheShape(Call call, String shape) {
    assertThat(textOf(call)).isEqualTo("R.Tensor(" + shape + ", dtype=\"float32\")");
  }

  @Test
  void knowsTheNumberOfAxesWhereExtentsAreNotKnown() {
    RelaxVar x = ofRank("x", DType.FLOAT32, 4);
    assertThat(textOf(Convolutions.conv2d(x, floats("w", 8, 3, 3, 3), PLAIN)))
        .isEqualTo("R.Tensor(dtype=\"float32\", ndim=4)");
    assertThat(textOf(Convolutions.conv2d(unknown("x"), unknown("w"), PLAIN)))
        .isEqualTo("R.Tensor(ndim=4)");
  }

  @Test
  void givesTheDtypeOfTheAttributeOrTheCommonOne() {
    RelaxVar x = tensor("x", DType.INT8, 1, 1, 4, 4);
    RelaxVar w = tensor("w", DType.INT8, 1, 1, 3, 3);
    assertThat(textOf(Convolutions.conv2d(x, w, PLAIN)))
        .isEqualTo("R.Tensor((1, 1, 2, 2), dtype=\"int8\")");
    assertThat(textOf(Convolutions.conv2d(x, w, PLAIN.withOutDType(DType.INT32))))
        .isEqualTo("R.Tensor((1, 1, 2, 2), dtype=\"int32\")");
    RelaxVar mixed = tensor("w", DType.UINT8, 1, 1, 3, 3);
    assertThat(textOf(Convolutions.conv2d(x, mixed, PLAIN.withOutDType(DType.INT32))))
        .isEqualTo("R.Tensor((1, 1, 2, 2), dtype=\"int32\")");
    RelaxVar anyDType =
        new RelaxVar("w", TensorType.of(DType.INT8, 1, 1, 3, 3).withDType(Optional.empty()));
    assertThat(textOf(Convolutions.conv2d(x, anyDType, PLAIN))).isEqualTo("R.Tensor((1, 1, 2, 2))");
  }

  @Test
  void carriesTheVirtualDevice() {
    TensorType type = TensorType.of(DType.FLOAT32, 1, 1, 4, 4);
    RelaxVar x = new RelaxVar("x", type.withVDevice(Optional.of(new VDevice("cuda", 0, "global"))));
    assertThat(textOf(Convolutions.conv2d(x, floats("w", 1, 1, 3, 3), PLAIN)))
        .isEqualTo("R.Tensor((1, 1, 2, 2), dtype=\"float32\", vdevice=\"cuda:0:global\")");
  }

  @Test
  void writesAllAttributes() {
    Call call = conv2d(List.of(1, 3, 8, 8), List.of(4, 3, 3, 3), PLAIN.withPadding(1, 2));
    assertThat(call)
        .hasToString(
            "R.nn.conv2d(x, w, strides=[1, 1], padding=[1, 2, 1, 2], dilation=[1, 1], groups=1,"
                + " data_layout=NCHW, kernel_layout=OIHW, out_layout=NCHW)");
    assertThat(transposed(List.of(1, 3, 8, 8), List.of(3, 4, 3, 3), PLAIN.withStrides(2)))
        .hasToString(
            "R.nn.conv2d_transpose(x, w, strides=[2, 2], padding=[0, 0, 0, 0],"
                + " output_padding=[0, 0], dilation=[1, 1], groups=1, data_layout=NCHW,"
                + " kernel_layout=IOHW, out_layout=NCHW)");
  }

  @Test
  void takesAttributesAsTheTextHasThem() {
    RelaxVar x = floats("x", 1, 3, 8, 8);
    RelaxVar w = floats("w", 4, 3, 3, 3);
    assertThat(textOf(Call.of(Convolutions.CONV2D, x, w)))
        .isEqualTo("R.Tensor((1, 4, 6, 6), dtype=\"float32\")");
    Attrs attrs = Attrs.of("padding", 1).with("out_layout", "").with("out_dtype", "void");
    assertThat(textOf(Call.of(Convolutions.CONV2D, List.of(x, w), attrs)))
        .isEqualTo("R.Tensor((1, 4, 8, 8), dtype=\"float32\")");
  }

  static Stream<Arguments> mistakes() {
    List<Object> image = List.of(1, 3, 8, 8);
    List<Object> kernel = List.of(4, 3, 3, 3);
    return Stream.of(
        Arguments.of(
            Convolutions.conv2d(floats("x", 3, 8, 8), floats("w", 4, 3, 3, 3), PLAIN),
            "nn.conv2d: the argument data must be a tensor with 4 axes, but is"
                + " R.Tensor((3, 8, 8), dtype=\"float32\")"),
        Arguments.of(
            conv2d(image, List.of(4, 2, 3, 3), PLAIN),
            "nn.conv2d: data has 3 channels, but weight takes 2"),
        Arguments.of(
            conv2d(image, List.of(4, 2, 3, 3), PLAIN.withGroups(2)),
            "nn.conv2d: data has 3 channels, but weight takes 4: 2 in each group"),
        Arguments.of(
            conv2d(image, List.of(4, 1, 3, 3), PLAIN.withGroups(3)),
            "nn.conv2d: the 4 channels of weight cannot be divided into 3 groups"),
        Arguments.of(
            transposed(image, List.of(2, 2, 3, 3), PLAIN),
            "nn.conv2d_transpose: data has 3 channels, but weight takes 2"),
        Arguments.of(
            transposed(image, List.of(3, 2, 3, 3), PLAIN.withGroups(2)),
            "nn.conv2d_transpose: the 3 channels of data cannot be divided into 2 groups"),
        Arguments.of(
            transposed(image, List.of(3, 2, 3, 3), PLAIN.withOutputPadding(1)),
            "nn.conv2d_transpose: output_padding must be less than strides, but is [1, 1], and"
                + " strides are [1, 1]"),
        Arguments.of(
            conv2d(image, kernel, PLAIN.withGroups(0)),
            "nn.conv2d: groups must be from 1 to 2147483647, but is 0"),
        Arguments.of(
            conv2d(image, kernel, PLAIN.withStrides(0)),
            "nn.conv2d: strides must be 1 or 2 numbers of at least 1, but is [0, 0]"),
        Arguments.of(
            conv2d(image, kernel, PLAIN.withDilation(1, 1, 1)),
            "nn.conv2d: dilation must be 1 or 2 numbers of at least 1, but is [1, 1, 1]"),
        Arguments.of(
            conv2d(image, kernel, PLAIN.withPadding(1, 2, 3)),
            "nn.conv2d: padding must be 1, 2 or 4 numbers, but is [1, 2, 3]"),
        Arguments.of(
            Convolutions.conv1d(
                floats("x", 1, 2, 3), floats("w", 1, 2, 1), PLAIN.withPadding(1, 2, 3)),
            "nn.conv1d: padding must be 1 or 2 numbers, but is [1, 2, 3]"),
        Arguments.of(
            conv2d(image, kernel, PLAIN.withLayouts("NCHW4c", "OIHW")),
            "nn.conv2d: data_layout must have each letter of NCHW once, but is \"NCHW4c\""),
        Arguments.of(
            conv2d(image, kernel, PLAIN.withLayouts("NCHW", "OIHO")),
            "nn.conv2d: kernel_layout must have each letter of OIHW once, but is \"OIHO\""),
        Arguments.of(
            Convolutions.conv2d(
                floats("x", 1, 3, 8, 8), tensor("w", DType.FLOAT16, 4, 3, 3, 3), PLAIN),
            "nn.conv2d: expected one dtype, but data is float32 and weight is float16; use astype"),
        Arguments.of(
            Convolutions.conv2d(
                tensor("x", DType.BOOL, 1, 3, 8, 8), floats("w", 4, 3, 3, 3), PLAIN),
            "nn.conv2d: the argument data must be a tensor of numbers, but is"
                + " R.Tensor((1, 3, 8, 8), dtype=\"bool\")"),
        Arguments.of(
            conv2d(image, kernel, PLAIN.withOutDType(DType.BOOL)),
            "nn.conv2d: out_dtype must be a dtype of numbers, but is bool"));
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void refusesWhatIsCertainlyWrong(Call call, String message) {
    assertThat(messageOf(call)).isEqualTo(message);
  }

  @Test
  void takesSymbolicChannelsForRight() {
    Object c = symbol("c");
    assertThat(textOf(conv2d(List.of(1, c, 8, 8), List.of(4, 3, 3, 3), PLAIN)))
        .isEqualTo("R.Tensor((1, 4, 6, 6), dtype=\"float32\")");
    assertThat(messageOf(conv2d(List.of(1, symbol("c"), 8, 8), List.of(4, 3, 3), PLAIN)))
        .isEqualTo(
            "nn.conv2d: the argument weight must be a tensor with 4 axes, but is"
                + " R.Tensor((4, 3, 3), dtype=\"float32\")");
  }

  private static final Tensor DATA =
      Tensor.of(new float[] {1, 2, 3, 4, 5, 6, 7, 8, 9}, Shape.of(1, 1, 3, 3));
  private static final Tensor WEIGHT =
      Tensor.of(new float[] {1, 0, 0, 1, 2, 0, 0, 2}, Shape.of(2, 1, 2, 2));

  @Test
  void computesAConvolution() {
    Call call = conv2d(List.of(1, 1, 3, 3), List.of(2, 1, 2, 2), PLAIN);
    assertThat(compute(call, DATA, WEIGHT).getFirst().toFloatArray())
        .containsExactly(6, 8, 12, 14, 12, 16, 24, 28);
  }

  @Test
  void computesIntoAnotherLayout() {
    Call call = conv2d(List.of(1, 1, 3, 3), List.of(2, 1, 2, 2), PLAIN.withOutLayout("NHWC"));
    Tensor result = compute(call, DATA, WEIGHT).getFirst();
    assertThat(result.shape()).isEqualTo(Shape.of(1, 2, 2, 2));
    assertThat(result.toFloatArray()).containsExactly(6, 12, 8, 16, 12, 24, 14, 28);
  }

  @Test
  void computesATransposedConvolution() {
    Call call = transposed(List.of(1, 1, 3, 3), List.of(1, 1, 2, 2), PLAIN.withStrides(2));
    Tensor ones = Tensor.of(new float[] {1, 0, 0, 1}, Shape.of(1, 1, 2, 2));
    assertThat(compute(call, DATA, ones).getFirst().toFloatArray())
        .containsExactly(
            1, 0, 2, 0, 3, 0, 0, 1, 0, 2, 0, 3, 4, 0, 5, 0, 6, 0, 0, 4, 0, 5, 0, 6, 7, 0, 8, 0, 9,
            0, 0, 7, 0, 8, 0, 9);
  }

  @Test
  void computesNothingOfNothing() {
    Call call = conv2d(List.of(0, 1, 3, 3), List.of(2, 1, 2, 2), PLAIN);
    Tensor none = Tensor.zeros(DType.FLOAT32, Shape.of(0, 1, 3, 3));
    assertThat(compute(call, none, WEIGHT).getFirst().shape()).isEqualTo(Shape.of(0, 2, 2, 2));
  }
}
