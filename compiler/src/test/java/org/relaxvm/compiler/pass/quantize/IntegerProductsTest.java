package org.relaxvm.compiler.pass.quantize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.relaxvm.compiler.dsl.Ops.constant;
import static org.relaxvm.compiler.dsl.Ops.matmul;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.dsl.ModuleBuilder;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.eval.RelaxEvaluator;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.image.Quantization;
import org.relaxvm.compiler.op.linear.Linear;
import org.relaxvm.compiler.op.nn.ConvOptions;
import org.relaxvm.compiler.op.nn.Convolutions;
import org.relaxvm.compiler.pass.PassContext;
import org.relaxvm.compiler.pass.simplify.DeadCodeElimination;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.vmcore.program.Dim;

class IntegerProductsTest {
  private static final ConvOptions PADDED = ConvOptions.DEFAULT.withPadding(1, 0, 2, 1);

  private static IRModule rewritten(IRModule module) {
    IRModule now = new IntegerProducts().run(module, PassContext.DEFAULT);
    return new DeadCodeElimination().run(now, PassContext.DEFAULT);
  }

  private static Tensor bytes(DType dtype, long... dims) {
    Shape shape = Shape.of(dims);
    byte[] values = new byte[(int) shape.elementCount()];
    new Random(Arrays.hashCode(dims)).nextBytes(values);
    return Tensor.of(values, dtype, shape);
  }

  private static Tensor floats(float... values) {
    return Tensor.of(values, values.length == 1 ? Shape.of() : Shape.of(values.length));
  }

  private static Tensor zeros(DType dtype, int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return Tensor.of(bytes, dtype, values.length == 1 ? Shape.of() : Shape.of(values.length));
  }

  private static Expr dequantized(
      ModuleBuilder model, Expr q, Tensor scale, Tensor zero, int axis) {
    return model.let(
        "d", Quantization.dequantize(q, constant(scale), constant(zero), axis, DType.FLOAT32));
  }

  private static Dim[] dims(Tensor tensor) {
    return Arrays.stream(tensor.shape().toArray()).mapToObj(Dim::of).toArray(Dim[]::new);
  }

  /** Products and convolutions with the dtypes of their operands and results. */
  private static List<String> products(IRModule module) {
    List<String> products = new ArrayList<>();
    module
        .relaxFunctions()
        .values()
        .forEach(
            function ->
                function.body().blocks().stream()
                    .flatMap(block -> block.bindings().stream())
                    .filter(binding -> binding.value() instanceof Call)
                    .forEach(
                        binding -> {
                          Call call = (Call) binding.value();
                          if (call.callee() instanceof OpDef op
                              && (op.equals(Linear.MATMUL) || Convolutions.all().contains(op))) {
                            products.add(
                                op.name()
                                    + " "
                                    + dtype(call.args().get(0))
                                    + " "
                                    + dtype(call.args().get(1))
                                    + " "
                                    + dtype(binding.var()));
                          }
                        }));
    return products;
  }

  private static DType dtype(Expr expr) {
    return ((TensorType) expr.type()).dtype().orElseThrow();
  }

  private static void assertSame(IRModule before, IRModule after, Tensor... inputs) {
    double[] want =
        ((Tensor) new RelaxEvaluator(before).run("main", (Object[]) inputs)).toDoubleArray();
    double[] got =
        ((Tensor) new RelaxEvaluator(after).run("main", (Object[]) inputs)).toDoubleArray();
    assertThat(got).hasSameSizeAs(want);
    double largest = Arrays.stream(want).map(Math::abs).max().orElse(0);
    for (int i = 0; i < want.length; i++) {
      assertThat(got[i]).isCloseTo(want[i], within(1e-5 * largest));
    }
  }

  static Stream<Arguments> matrices() {
    DType u8 = DType.UINT8;
    DType i8 = DType.INT8;
    return Stream.of(
        Arguments.of(u8, zeros(u8, 0), i8, zeros(i8, 0), floats(0.5f)),
        Arguments.of(u8, zeros(u8, 200), i8, zeros(i8, 0), floats(0.5f)),
        Arguments.of(i8, zeros(i8, 0), u8, zeros(u8, 130), floats(0.5f)),
        Arguments.of(i8, zeros(i8, -3), i8, zeros(i8, 5, 0, -7), floats(0.5f, 2, 0.25f)));
  }

  @ParameterizedTest(autoCloseArguments = false)
  @MethodSource("matrices")
  void matricesOfQuantizedOperands(DType a, Tensor za, DType b, Tensor zb, Tensor scale) {
    Tensor x = bytes(a, 2, 4, 5);
    ModuleBuilder model = new ModuleBuilder();
    Expr left = dequantized(model, model.input("x", a, dims(x)), floats(0.25f), za, 0);
    Expr right = dequantized(model, constant(bytes(b, 5, 3)), scale, zb, 1);
    IRModule module = model.output("y", matmul(left, right)).module();
    IRModule now = rewritten(module);
    assertThat(products(now)).containsExactly("matmul " + a + " " + b + " int32");
    assertSame(module, now, x);
  }

  @Test
  void transposedWeightsWithScalesOfRows() {
    Tensor x = bytes(DType.UINT8, 4, 5);
    ModuleBuilder model = new ModuleBuilder();
    Expr left =
        dequantized(
            model,
            model.input("x", DType.UINT8, Dim.symbol("n"), Dim.of(5)),
            floats(0.25f),
            zeros(DType.UINT8, 9),
            0);
    Expr right =
        dequantized(
            model,
            constant(bytes(DType.INT8, 3, 5)),
            floats(0.5f, 1, 2),
            zeros(DType.INT8, 1, 2, 3),
            0);
    IRModule module =
        model.output("y", matmul(left, model.let("t", Ops.permuteDims(right, 1, 0)))).module();
    IRModule now = rewritten(module);
    assertThat(products(now)).containsExactly("matmul uint8 int8 int32");
    assertSame(module, now, x);
  }

  static Stream<Arguments> convolutions() {
    DType u8 = DType.UINT8;
    DType i8 = DType.INT8;
    Tensor weights = bytes(i8, 4, 6, 3, 2);
    Tensor grouped = bytes(i8, 4, 3, 3, 2);
    Tensor points = bytes(i8, 4, 6, 1, 1);
    Tensor unsigned = bytes(u8, 4, 6, 3, 2);
    Tensor unsignedGroups = bytes(u8, 4, 3, 3, 2);
    ConvOptions moved = PADDED.withStrides(2, 1).withDilation(1, 2);
    String signed = "matmul int8 uint8 int32";
    return Stream.of(
        Arguments.of(0, weights, zeros(i8, 0), PADDED, List.of(signed)),
        Arguments.of(7, weights, zeros(i8, 0), moved, List.of(signed)),
        Arguments.of(7, grouped, zeros(i8, 0), PADDED.withGroups(2), List.of(signed)),
        Arguments.of(7, points, zeros(i8, 0), ConvOptions.DEFAULT, List.of(signed)),
        Arguments.of(7, unsigned, zeros(u8, 128), PADDED, List.of(signed)),
        Arguments.of(
            7,
            unsigned,
            zeros(u8, 100, 110, 120, 130),
            moved,
            List.of("matmul uint8 uint8 int32", "nn.conv2d uint8 uint8 int32")),
        Arguments.of(
            7,
            unsignedGroups,
            zeros(u8, 100),
            PADDED.withGroups(2),
            List.of("matmul uint8 uint8 int32", "nn.conv2d uint8 uint8 int32")));
  }

  @ParameterizedTest(autoCloseArguments = false)
  @MethodSource("convolutions")
  void convolutionsOfQuantizedOperands(
      int zx, Tensor weights, Tensor zw, ConvOptions options, List<String> expected) {
    Tensor x = bytes(DType.UINT8, 2, 6, 7, 8);
    ModuleBuilder model = new ModuleBuilder();
    Expr data =
        dequantized(
            model,
            model.input("x", DType.UINT8, dims(x)),
            floats(0.25f),
            zeros(DType.UINT8, zx),
            1);
    Expr filter = dequantized(model, constant(weights), floats(0.5f, 1, 2, 0.125f), zw, 0);
    IRModule module = model.output("y", Convolutions.conv2d(data, filter, options)).module();
    IRModule now = rewritten(module);
    assertThat(products(now)).containsExactlyElementsOf(expected);
    assertSame(module, now, x);
  }

  @Test
  void differencesOfIntegersAreProductsOfBytes() {
    Tensor x = bytes(DType.UINT8, 4, 5);
    ModuleBuilder model = new ModuleBuilder();
    Expr wide = model.let("w", Ops.astype(model.input("x", DType.UINT8, dims(x)), DType.INT32));
    Tensor rows = Tensor.of(new int[] {1, 2, 3, 4}, Shape.of(4, 1));
    Expr left = model.let("l", Ops.subtract(wide, constant(rows)));
    Expr right = model.let("r", Ops.astype(constant(bytes(DType.INT8, 5, 3)), DType.INT32));
    IRModule module = model.output("y", matmul(left, right)).module();
    IRModule now = rewritten(module);
    assertThat(products(now)).containsExactly("matmul uint8 int8 int32");
    assertSame(module, now, x);
  }

  static Stream<Arguments> kept() {
    return Stream.of(
        // More products than int32 has room for, or an unknown number of them.
        Arguments.of(Dim.of(33_026), 33_026L, zeros(DType.INT8, 3), floats(1), 1),
        Arguments.of(Dim.symbol("k"), 5L, zeros(DType.INT8, 3), floats(1), 1),
        // Scales along the summed axis.
        Arguments.of(Dim.of(2), 2L, zeros(DType.INT8, 0), floats(1, 2), 0));
  }

  @ParameterizedTest(autoCloseArguments = false)
  @MethodSource("kept")
  void whatMayOverflowStays(Dim depth, long size, Tensor zero, Tensor scale, int axis) {
    ModuleBuilder model = new ModuleBuilder();
    Expr left =
        dequantized(
            model,
            model.input("x", DType.UINT8, Dim.of(2), depth),
            floats(0.25f),
            zeros(DType.UINT8, 0),
            0);
    Expr weights =
        depth instanceof Dim.Symbol
            ? model.input("w", DType.INT8, depth, Dim.of(3))
            : constant(bytes(DType.INT8, size, 3));
    IRModule module =
        model.output("y", matmul(left, dequantized(model, weights, scale, zero, axis))).module();
    assertThat(products(rewritten(module))).containsExactly("matmul float32 float32 float32");
  }

  @Test
  void dequantizedChannelsOnTheirOwnStayFloats() {
    Tensor x = bytes(DType.UINT8, 1, 4, 7, 8);
    ModuleBuilder model = new ModuleBuilder();
    Expr data =
        dequantized(
            model, model.input("x", DType.UINT8, dims(x)), floats(0.25f), zeros(DType.UINT8, 3), 1);
    Expr filter =
        dequantized(
            model, constant(bytes(DType.INT8, 4, 1, 3, 2)), floats(1), zeros(DType.INT8, 0), 0);
    IRModule module =
        model.output("y", Convolutions.conv2d(data, filter, PADDED.withGroups(4))).module();
    assertThat(products(rewritten(module))).containsExactly("nn.conv2d float32 float32 float32");
  }

  @Test
  void hasItsName() {
    assertThat(new IntegerProducts().name()).isEqualTo("IntegerProducts");
  }
}
