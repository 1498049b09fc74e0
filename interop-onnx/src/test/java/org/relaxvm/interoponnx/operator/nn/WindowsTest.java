package org.relaxvm.interoponnx.operator.nn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.relaxvm.interoponnx.operator.nn.NodeRun.floats;
import static org.relaxvm.interoponnx.operator.nn.NodeRun.varied;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.InvalidProgramException;

/** Convolutions and pools: padding, symbolic extents, indices. */
class WindowsTest {
  private static final List<String> SAME = List.of("SAME_UPPER", "SAME_LOWER");

  private static void assertSame(Tensor actual, Tensor expected) {
    assertThat(actual.shape()).isEqualTo(expected.shape());
    assertThat(actual.toFloatArray())
        .usingComparatorWithPrecision(1e-4f)
        .containsExactly(expected.toFloatArray());
  }

  static Stream<Arguments> same() {
    return Stream.of("MaxPool", "AveragePool", "LpPool", "Conv")
        .flatMap(
            operator ->
                SAME.stream()
                    .flatMap(
                        pad ->
                            Stream.of(4L, 5L, 6L, 7L)
                                .map(width -> Arguments.of(operator, pad, width))));
  }

  private static NodeRun window(String operator, String pad) {
    NodeRun run =
        NodeRun.of(operator, 22)
            .with("auto_pad", pad)
            .with("strides", List.of(3, 2))
            .with("dilations", List.of(1, 2));
    return operator.equals("Conv") ? run : run.with("kernel_shape", List.of(3, 3));
  }

  private static NodeRun withWeights(NodeRun run, String operator) {
    return operator.equals("Conv") ? run.input(varied(2, 2, 3, 3)) : run;
  }

  @ParameterizedTest
  @MethodSource("same")
  void windowsOverSymbolicExtentsArePaddedAsOverKnownOnes(String operator, String pad, long width) {
    Tensor x = varied(1, 2, 7, width);
    Tensor known = withWeights(window(operator, pad).input(x), operator).run();
    assertThat(known.shape()).isEqualTo(Shape.of(1, 2, 3, (width + 1) / 2));
    assertSame(
        withWeights(window(operator, pad).input(x, "n", 2, "h", "w"), operator).run(), known);
  }

  @Test
  void theOddElementOfPaddingIsWhereTheAttributeSays() {
    Tensor x = floats(new float[] {1, 2, 3, 4}, 1, 1, 4);
    Tensor weight = floats(new float[] {1, 10}, 1, 1, 2);
    assertThat(
            NodeRun.of("Conv", 11)
                .with("auto_pad", "SAME_UPPER")
                .input(x)
                .input(weight)
                .run()
                .toFloatArray())
        .containsExactly(21, 32, 43, 4);
    assertThat(
            NodeRun.of("Conv", 11)
                .with("auto_pad", "SAME_LOWER")
                .input(x, 1, 1, "w")
                .input(weight)
                .run()
                .toFloatArray())
        .containsExactly(10, 21, 32, 43);
  }

  @Test
  void negativePaddingCuts() {
    Tensor x = floats(new float[] {9, 1, 2, 3, 9}, 1, 1, 5);
    for (String operator : List.of("MaxPool", "AveragePool")) {
      Tensor cut =
          NodeRun.of(operator, 22)
              .with("kernel_shape", List.of(1))
              .with("pads", List.of(-1, -1))
              .input(x)
              .run();
      assertThat(cut.toFloatArray()).containsExactly(1, 2, 3);
    }
  }

  @Test
  void meansCountPaddingIfWanted() {
    Tensor x = floats(new float[] {2, 4, 6}, 1, 1, 3);
    NodeRun run =
        NodeRun.of("AveragePool", 22)
            .with("kernel_shape", List.of(2))
            .with("strides", List.of(2))
            .with("ceil_mode", 1)
            .with("pads", List.of(1, 0));
    assertThat(run.input(x).run().toFloatArray()).containsExactly(2, 5);
    NodeRun counting =
        NodeRun.of("AveragePool", 22)
            .with("kernel_shape", List.of(3))
            .with("strides", List.of(2))
            .with("ceil_mode", 1)
            .with("count_include_pad", 1)
            .with("pads", List.of(1, 0));
    // The last window has two elements; what lies after the padding does not count.
    assertThat(counting.input(x).run().toFloatArray()).containsExactly(2, 5);
  }

  @Test
  void lastWindowsOfNormsMayLiePartlyOutside() {
    Tensor x = floats(new float[] {3, 4, 5, 12, 2, 1}, 1, 1, 6);
    for (Object extent : List.of(6, "w")) {
      NodeRun run =
          NodeRun.of("LpPool", 22)
              .with("kernel_shape", List.of(2))
              .with("strides", List.of(3))
              .with("ceil_mode", 1)
              .input(x, 1, 1, extent);
      assertThat(run.run().toFloatArray()).containsExactly(5, (float) Math.sqrt(148));
    }
    Tensor partly =
        NodeRun.of("LpPool", 22)
            .with("kernel_shape", List.of(3))
            .with("strides", List.of(5))
            .with("ceil_mode", 1)
            .with("p", 1)
            .input(x, 1, 1, "w")
            .run();
    assertThat(partly.toFloatArray()).containsExactly(12, 1);
  }

  @Test
  void theExponentOfOldNormsIsAFloat() {
    Tensor x = floats(new float[] {-2, 2, 0, 1}, 1, 1, 4);
    NodeRun run = NodeRun.of("LpPool", 1).with("kernel_shape", List.of(2)).with("p", 3f);
    assertThat(run.with("strides", List.of(2)).input(x).run().toFloatArray())
        .usingComparatorWithPrecision(1e-4f)
        .containsExactly((float) Math.cbrt(16), 1);
    assertThat(NodeRun.of("GlobalLpPool", 2).with("p", 1).input(x).run().toFloatArray())
        .containsExactly(5);
  }

  @Test
  void globalPoolsTakeAllPositions() {
    Tensor x = floats(new float[] {1, 3, 5, -9}, 1, 2, 2);
    Tensor means = NodeRun.of("GlobalAveragePool", 1).input(x, "n", 2, "w").run();
    assertThat(means.shape()).isEqualTo(Shape.of(1, 2, 1));
    assertThat(means.toFloatArray()).containsExactly(2, -2);
    assertThat(NodeRun.of("GlobalMaxPool", 1).input(x).run().toFloatArray()).containsExactly(3, 5);
  }

  // ---------------------------------------------------------------- indices

  @Test
  void indicesCountInEitherOrder() {
    Tensor x = floats(new float[] {1, 2, 3, 9, 8, 7, 0, 0, 1, 0, 0, 0}, 1, 2, 2, 3);
    NodeRun rows = NodeRun.of("MaxPool", 12).with("kernel_shape", List.of(2, 3)).input(x);
    assertThat(rows.run(2).get(1).toLongArray()).containsExactly(3, 8);
    NodeRun columns =
        NodeRun.of("MaxPool", 12)
            .with("kernel_shape", List.of(2, 3))
            .with("storage_order", 1)
            .input(x, "n", 2, 2, 3);
    Tensor indices = columns.run(2).get(1);
    assertThat(indices.dtype()).isEqualTo(DType.INT64);
    assertThat(indices.toLongArray()).containsExactly(1, 10);
  }

  @Test
  void integersArePooled() {
    Tensor x = Tensor.of(new byte[] {-128, -3, -100, -128}, DType.INT8, Shape.of(1, 1, 4));
    NodeRun run =
        NodeRun.of("MaxPool", 12)
            .with("kernel_shape", List.of(3))
            .with("strides", List.of(2))
            .with("auto_pad", "SAME_LOWER");
    assertThat(run.input(x, 1, 1, "w").run().toLongArray()).containsExactly(-3, -3);
  }

  @Test
  void valuesGoBackToTheirPlaces() {
    Tensor x = floats(new float[] {5, 6, 7, 8}, 1, 1, 2, 2);
    Tensor indices = Tensor.of(new long[] {5, 7, 13, 15}, Shape.of(1, 1, 2, 2));
    NodeRun plain =
        NodeRun.of("MaxUnpool", 11)
            .with("kernel_shape", List.of(2, 2))
            .with("strides", List.of(2, 2));
    assertThat(plain.input(x).input(indices).run().toFloatArray())
        .containsExactly(0, 0, 0, 0, 0, 5, 0, 6, 0, 0, 0, 0, 0, 7, 0, 8);
    for (boolean isKnown : new boolean[] {true, false}) {
      NodeRun larger =
          NodeRun.of("MaxUnpool", 11)
              .with("kernel_shape", List.of(2, 2))
              .with("strides", List.of(2, 2))
              .input(x)
              .input(indices);
      Tensor shape = Tensor.of(new long[] {1, 1, 5, 5}, Shape.of(4));
      Tensor result = (isKnown ? larger.constant(shape) : larger.input(shape)).run();
      assertThat(result.shape()).isEqualTo(Shape.of(1, 1, 5, 5));
      assertThat(result.toFloatArray())
          .containsExactly(
              0, 0, 0, 0, 0, 0, 5, 0, 6, 0, 0, 0, 0, 0, 0, 0, 7, 0, 8, 0, 0, 0, 0, 0, 0);
    }
  }

  @Test
  void indicesNeedKnownPadding() {
    NodeRun run = window("MaxPool", "SAME_UPPER").input(varied(1, 1, 5, 5), 1, 1, "h", "w");
    assertThatThrownBy(() -> run.run(2))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessageContaining("indices are wanted, but its padding depends on symbolic extents")
        .hasMessageContaining("bind the extents (--bind)");
  }

  // ---------------------------------------------------------------- transposed

  private static NodeRun transposed() {
    return NodeRun.of("ConvTranspose", 11).with("strides", List.of(2));
  }

  private static final Tensor LINE = floats(new float[] {1, 2}, 1, 1, 2);
  private static final Tensor KERNEL = floats(new float[] {1, 10, 100}, 1, 1, 3);

  @Test
  void theOutputShapeDecidesThePadding() {
    // The full result is 1, 10, 102, 20, 200.
    assertThat(transposed().input(LINE).input(KERNEL).run().toFloatArray())
        .containsExactly(1, 10, 102, 20, 200);
    NodeRun shaped = transposed().with("output_shape", List.of(4));
    assertThat(shaped.input(LINE).input(KERNEL).run().toFloatArray())
        .containsExactly(10, 102, 20, 200);
    NodeRun upper =
        transposed().with("auto_pad", "SAME_UPPER").with("output_shape", List.of(1, 1, 4));
    assertThat(upper.input(LINE).input(KERNEL).run().toFloatArray())
        .containsExactly(1, 10, 102, 20);
  }

  @Test
  void sameMeansAsManyElementsAsStrides() {
    NodeRun upper = transposed().with("auto_pad", "SAME_UPPER");
    assertThat(upper.input(LINE, 1, 1, "w").input(KERNEL).run().toFloatArray())
        .containsExactly(1, 10, 102, 20);
    NodeRun narrow = transposed().with("auto_pad", "SAME_LOWER");
    Tensor one = floats(new float[] {5}, 1, 1, 1);
    assertThat(narrow.input(LINE).input(one).run().toFloatArray()).containsExactly(5, 0, 10, 0);
  }

  @Test
  void outputPaddingMayReachTheStride() {
    NodeRun run = transposed().with("output_padding", List.of(3)).with("pads", List.of(1, 1));
    assertThat(run.input(LINE).input(KERNEL).input(floats(new float[] {7}, 1)).run().toFloatArray())
        .containsExactly(17, 109, 27, 207, 7, 7);
  }

  @Test
  void anOutputShapeNeedsKnownExtents() {
    NodeRun run =
        transposed().with("output_shape", List.of(4)).input(LINE, 1, 1, "w").input(KERNEL);
    assertThatThrownBy(run::run)
        .isInstanceOf(InvalidProgramException.class)
        .hasMessageContaining(
            "output_shape is given, but spatial extents of its input are symbolic");
  }

  // ---------------------------------------------------------------- deformable

  @Test
  void withoutOffsetsADeformableConvolutionIsAConvolution() {
    Tensor x = varied(2, 4, 5, 6);
    Tensor weight = varied(6, 2, 3, 2);
    Tensor bias = varied(6);
    Tensor expected =
        NodeRun.of("Conv", 22)
            .with("group", 2)
            .with("pads", List.of(1, 0, 1, 0))
            .with("strides", List.of(2, 1))
            .input(x)
            .input(weight)
            .input(bias)
            .run();
    Tensor offset = Tensor.zeros(DType.FLOAT32, Shape.of(2, 24, 3, 5));
    assertSame(
        NodeRun.of("DeformConv", 22)
            .with("group", 2)
            .with("offset_group", 2)
            .with("pads", List.of(1, 0, 1, 0))
            .with("strides", List.of(2, 1))
            .input(x, "n", 4, "h", "w")
            .input(weight)
            .input(offset, "n", 24, "oh", "ow")
            .input(bias)
            .run(),
        expected);
  }

  @Test
  void attributesThatAreWrongAreReported() {
    NodeRun run =
        NodeRun.of("MaxPool", 22)
            .with("kernel_shape", List.of(2))
            .with("strides", List.of(0))
            .input(LINE);
    assertThatThrownBy(run::run)
        .isInstanceOf(InvalidProgramException.class)
        .hasMessageContaining("strides is [0]; expected 1 numbers of 1 or more");
    NodeRun unknown = NodeRun.of("MaxPool", 22).with("auto_pad", "SOME").input(LINE);
    assertThatThrownBy(() -> unknown.with("kernel_shape", List.of(2)).run())
        .isInstanceOf(InvalidProgramException.class)
        .hasMessageContaining("auto_pad is 'SOME'");
  }
}
