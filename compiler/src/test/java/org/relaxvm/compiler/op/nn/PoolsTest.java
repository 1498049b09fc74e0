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
import org.relaxvm.compiler.op.OpDef;

class PoolsTest {
  private static Call max(PoolOptions options, Object... dims) {
    return Pools.maxPool2d(floats("x", dims), options);
  }

  static Stream<Arguments> shapes() {
    PoolOptions two = PoolOptions.of(2).withStrides(2);
    Object n = symbol("n");
    Object h = symbol("h");
    return Stream.of(
        Arguments.of(max(PoolOptions.of(3, 2), 1, 2, 8, 9), "(1, 2, 6, 8)"),
        Arguments.of(max(two, 1, 2, 8, 9), "(1, 2, 4, 4)"),
        Arguments.of(max(two.withCeilMode(), 1, 2, 8, 9), "(1, 2, 4, 5)"),
        Arguments.of(max(two.withPadding(1).withCeilMode(), 1, 2, 8, 9), "(1, 2, 5, 5)"),
        // A window that would start after the data is left out.
        Arguments.of(
            max(PoolOptions.of(1).withStrides(3).withCeilMode(), 1, 1, 2, 4), "(1, 1, 1, 2)"),
        Arguments.of(max(PoolOptions.of(3).withDilation(2), 1, 2, 8, 9), "(1, 2, 4, 5)"),
        Arguments.of(max(PoolOptions.of(3).withPadding(0, 1, 2, 3), 1, 2, 8, 9), "(1, 2, 8, 11)"),
        Arguments.of(max(PoolOptions.of(8, 9), 1, 2, 8, 9), "(1, 2, 1, 1)"),
        Arguments.of(max(PoolOptions.of(9), 1, 2, 8, 9), "(1, 2, 0, 1)"),
        Arguments.of(max(two, 0, 2, 8, 9), "(0, 2, 4, 4)"),
        Arguments.of(max(two, n, 2, h, h), "(n, 2, h // 2, h // 2)"),
        Arguments.of(max(two.withLayout("NHWC"), 1, 8, 9, 2), "(1, 4, 4, 2)"),
        Arguments.of(Pools.avgPool2d(floats("x", 1, 2, 8, 9), two), "(1, 2, 4, 4)"),
        Arguments.of(Pools.maxPool1d(floats("x", 1, 2, 9), PoolOptions.of(4)), "(1, 2, 6)"),
        Arguments.of(Pools.avgPool1d(floats("x", 1, 2, 9), PoolOptions.of(4)), "(1, 2, 6)"),
        Arguments.of(
            Pools.maxPool3d(floats("x", 1, 2, 9, 8, 7), PoolOptions.of(1, 2, 3)),
            "(1, 2, 9, 7, 5)"),
        Arguments.of(
            Pools.avgPool3d(floats("x", 1, 2, 9, 8, 7), PoolOptions.of(1, 2, 3)),
            "(1, 2, 9, 7, 5)"),
        Arguments.of(
            Pools.adaptiveAvgPool(floats("x", 1, 2, 9, h), List.of(3L, 1L)), "(1, 2, 3, 1)"),
        Arguments.of(Pools.adaptiveAvgPool(floats("x", 1, 2, 9), List.of(4L)), "(1, 2, 4)"),
        Arguments.of(
            Pools.adaptiveAvgPool(floats("x", 1, 2, 9, 9, 9), List.of(1L, 2L, 3L)),
            "(1, 2, 1, 2, 3)"),
        Arguments.of(
            Call.of(op("nn.adaptive_avg_pool2d"), floats("x", 1, 2, 9, h)), "(1, 2, 9, h)"));
  }

  private static OpDef op(String name) {
    return Pools.all().stream().filter(op -> op.name().equals(name)).findFirst().orElseThrow();
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void derivesTheShape(Call call, String shape) {
    assertThat(textOf(call)).isEqualTo("R.Tensor(" + shape + ", dtype=\"float32\")");
  }

  @Test
  void countsTheLastWindowOfASymbolicExtentWhenTheProgramRuns() {
    assertThat(textOf(max(PoolOptions.of(2).withStrides(2).withCeilMode(), 1, 2, symbol("h"), 8)))
        .isEqualTo("R.Tensor((1, 2, (h + 1) // 2, 4), dtype=\"float32\")");
    assertThat(textOf(max(PoolOptions.of(1).withStrides(3).withCeilMode(), 1, 2, symbol("h"), 8)))
        .contains("T.Select(");
  }

  @Test
  void knowsTheNumberOfAxesWhereExtentsAreNotKnown() {
    PoolOptions two = PoolOptions.of(2);
    assertThat(textOf(Pools.maxPool2d(unknown("x"), two))).isEqualTo("R.Tensor(ndim=4)");
    assertThat(textOf(Pools.avgPool1d(ofRank("x", DType.FLOAT16, 3), two)))
        .isEqualTo("R.Tensor(dtype=\"float16\", ndim=3)");
    assertThat(textOf(Pools.adaptiveAvgPool(unknown("x"), List.of(1L, 1L))))
        .isEqualTo("R.Tensor(ndim=4)");
  }

  @Test
  void takesTheLargestOfIntegersToo() {
    assertThat(textOf(Pools.maxPool2d(tensor("x", DType.INT8, 1, 1, 2, 2), PoolOptions.of(2))))
        .isEqualTo("R.Tensor((1, 1, 1, 1), dtype=\"int8\")");
  }

  @Test
  void writesAllAttributes() {
    assertThat(max(PoolOptions.of(2).withStrides(2), 1, 2, 8, 9))
        .hasToString(
            "R.nn.max_pool2d(x, pool_size=[2, 2], strides=[2, 2], dilation=[1, 1],"
                + " padding=[0, 0, 0, 0], ceil_mode=false, count_include_pad=false, layout=NCHW,"
                + " out_layout=NCHW)");
  }

  static Stream<Arguments> mistakes() {
    RelaxVar x = floats("x", 1, 2, 8, 8);
    return Stream.of(
        Arguments.of(
            Pools.maxPool2d(floats("x", 1, 2, 8), PoolOptions.of(2)),
            "nn.max_pool2d: the argument data must be a tensor with 4 axes, but is"
                + " R.Tensor((1, 2, 8), dtype=\"float32\")"),
        Arguments.of(
            Pools.avgPool2d(tensor("x", DType.INT32, 1, 2, 8, 8), PoolOptions.of(2)),
            "nn.avg_pool2d: the argument data must be a tensor of floats, but is"
                + " R.Tensor((1, 2, 8, 8), dtype=\"int32\")"),
        Arguments.of(
            Pools.maxPool2d(tensor("x", DType.BOOL, 1, 2, 8, 8), PoolOptions.of(2)),
            "nn.max_pool2d: the argument data must be a tensor of numbers, but is"
                + " R.Tensor((1, 2, 8, 8), dtype=\"bool\")"),
        Arguments.of(
            Pools.maxPool2d(x, PoolOptions.of(0)),
            "nn.max_pool2d: pool_size must be 1 or 2 numbers of at least 1, but is [0, 0]"),
        Arguments.of(
            Pools.maxPool2d(x, PoolOptions.of(2).withPadding(-1)),
            "nn.max_pool2d: padding must be 1, 2 or 4 numbers of at least 0, but is"
                + " [-1, -1, -1, -1]"),
        Arguments.of(
            Pools.maxPool2d(x, PoolOptions.of(2).withLayout("NCWD")),
            "nn.max_pool2d: layout must have each letter of NCHW once, but is \"NCWD\""),
        Arguments.of(
            Pools.adaptiveAvgPool(x, List.of(0L, 1L)),
            "nn.adaptive_avg_pool2d: output_size must be 1 or 2 numbers of at least 1, but is"
                + " [0, 1]"));
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void refusesWhatIsCertainlyWrong(Call call, String message) {
    assertThat(messageOf(call)).isEqualTo(message);
  }

  private static final Tensor DATA =
      Tensor.of(new float[] {1, 2, 3, 4, 5, 6, 7, 8, 9}, Shape.of(1, 1, 3, 3));

  @Test
  void computesLargestElements() {
    PoolOptions options = PoolOptions.of(2).withStrides(2).withCeilMode();
    assertThat(compute(max(options, 1, 1, 3, 3), DATA).getFirst().toFloatArray())
        .containsExactly(5, 6, 8, 9);
  }

  @Test
  void computesIndicesOfTheFirstLargestElements() {
    PoolOptions options = PoolOptions.of(2).withStrides(1, 2).withPadding(0, 1, 0, 0);
    Call call = Pools.maxPoolIndices(floats("x", 1, 2, 2, 3), 2, options);
    assertThat(textOf(call)).isEqualTo("R.Tensor((1, 2, 1, 2), dtype=\"int64\")");
    Tensor data =
        Tensor.of(new float[] {5, 5, 1, 5, 5, 5, -1, -2, -3, -4, -2, -9}, Shape.of(1, 2, 2, 3));
    assertThat(compute(call, data).getFirst().toLongArray()).containsExactly(0, 1, 6, 7);
  }

  @Test
  void givesNoIndexOfAWindowThatIsAllPadding() {
    PoolOptions options = PoolOptions.of(2).withPadding(2, 0);
    Call call = Pools.maxPoolIndices(floats("x", 1, 1, 2), 1, options);
    Tensor data = Tensor.of(new float[] {Float.NEGATIVE_INFINITY, 3}, Shape.of(1, 1, 2));
    assertThat(compute(call, data).getFirst().toLongArray()).containsExactly(-1, 0, 1);
  }

  @Test
  void computesMeansWithAndWithoutPadding() {
    RelaxVar x = floats("x", 1, 1, 3, 3);
    PoolOptions options = PoolOptions.of(2).withStrides(2).withPadding(1);
    assertThat(compute(Pools.avgPool2d(x, options), DATA).getFirst().toFloatArray())
        .containsExactly(1, 2.5f, 5.5f, 7);
    assertThat(
            compute(Pools.avgPool2d(x, options.withCountIncludePad()), DATA)
                .getFirst()
                .toFloatArray())
        .containsExactly(0.25f, 1.25f, 2.75f, 7);
  }

  @Test
  void computesIntoAnotherLayout() {
    Attrs attrs = Attrs.of("output_size", List.of(1, 2)).with("out_layout", "NHWC");
    Call call = Call.of(op("nn.adaptive_avg_pool2d"), List.of(floats("x", 1, 2, 2, 2)), attrs);
    Tensor data = Tensor.of(new float[] {1, 2, 3, 4, 5, 6, 7, 8}, Shape.of(1, 2, 2, 2));
    Tensor result = compute(call, data).getFirst();
    assertThat(result.shape()).isEqualTo(Shape.of(1, 1, 2, 2));
    assertThat(result.toFloatArray()).containsExactly(2, 6, 3, 7);
  }
}
