package org.relaxvm.compiler.op.elementwise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.compiler.op.Rules.any;
import static org.relaxvm.compiler.op.Rules.floats;
import static org.relaxvm.compiler.op.Rules.ints;
import static org.relaxvm.compiler.op.Rules.is;
import static org.relaxvm.compiler.op.Rules.of;
import static org.relaxvm.compiler.op.Rules.ofRank;
import static org.relaxvm.compiler.op.Rules.refused;
import static org.relaxvm.compiler.op.Rules.scalar;
import static org.relaxvm.compiler.op.Rules.someFloats;
import static org.relaxvm.compiler.op.Rules.tensor;
import static org.relaxvm.compiler.op.Rules.unknown;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.op.Execution;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.Var;

class FunctionsTest {
  static final List<OpDef> TESTS = List.of(Functions.ISFINITE, Functions.ISINF, Functions.ISNAN);
  static final List<OpDef> NUMBERS =
      List.of(
          Functions.ABS,
          Functions.NEGATIVE,
          Functions.SIGN,
          Functions.SQUARE,
          Functions.ROUND,
          Functions.CEIL,
          Functions.FLOOR,
          Functions.TRUNC,
          Activations.RELU);
  static final List<OpDef> OF_ALL = List.of(Functions.BITWISE_NOT, Functions.LOGICAL_NOT);
  static final List<DType> FLOATS =
      List.of(DType.FLOAT16, DType.BFLOAT16, DType.FLOAT32, DType.FLOAT64);
  static final List<DType> INTEGERS =
      List.of(DType.INT8, DType.UINT8, DType.INT32, DType.INT64, DType.UINT64);

  static List<OpDef> all() {
    return Stream.concat(Functions.all().stream(), Activations.all().stream()).toList();
  }

  static List<OpDef> ofFloats() {
    return all().stream()
        .filter(op -> !TESTS.contains(op) && !NUMBERS.contains(op) && !OF_ALL.contains(op))
        .toList();
  }

  private static OpDef[] keepingDType() {
    return all().stream().filter(op -> !TESTS.contains(op)).toArray(OpDef[]::new);
  }

  private static String typed(OpDef op, String type) {
    return TESTS.contains(op) ? type.replace("float32", "bool") : type;
  }

  @ParameterizedTest
  @MethodSource("all")
  void keepWhatIsKnownOfTheShape(OpDef op) {
    Var n = Var.index("n");
    RelaxVar shape = new RelaxVar("s", ShapeType.ofRank(2));
    List<RelaxVar> given =
        op.equals(Functions.BITWISE_NOT)
            ? List.of()
            : List.of(
                floats(2, 3),
                floats(),
                floats(n, Exprs.mul(n, 4)),
                ofRank(3),
                someFloats(),
                of(TensorType.of(Optional.of(DType.FLOAT32), shape)));
    for (RelaxVar x : given) {
      is(Call.of(op, x), typed(op, x.type().toString()));
    }
  }

  @ParameterizedTest
  @MethodSource("keepingDType")
  void leaveUnknownDtypesUnknown(OpDef op) {
    is(Call.of(op, unknown()), "R.Tensor");
  }

  @ParameterizedTest
  @FieldSource("TESTS")
  void questionsGiveBool(OpDef op) {
    is(Call.of(op, unknown()), "R.Tensor(dtype=\"bool\")");
    is(Call.of(op, ints(2)), "R.Tensor((2,), dtype=\"bool\")");
  }

  @ParameterizedTest
  @MethodSource("all")
  void refuseWhatIsNoTensor(OpDef op) {
    refused(Call.of(op, any()), op.name() + ": the argument x must be a tensor, but is R.Any");
    refused(
        Call.of(op, scalar(DType.FLOAT32)),
        op.name() + ": the argument x must be a tensor, but is R.Prim(\"float32\")");
    refused(Call.of(op), op.name() + " takes 1 argument (x), but got 0");
    refused(Call.of(op, floats(1), floats(1)), op.name() + " takes 1 argument (x), but got 2");
  }

  @ParameterizedTest
  @MethodSource("ofFloats")
  void refuseIntegersWhereOnlyFloatsHaveAMeaning(OpDef op) {
    refused(
        Call.of(op, ints(2)),
        op.name()
            + ": the argument x must be a tensor of floats, but is R.Tensor((2,),"
            + " dtype=\"int64\")");
  }

  @ParameterizedTest
  @FieldSource("NUMBERS")
  void refuseBooleansWhereOnlyNumbersHaveAMeaning(OpDef op) {
    refused(
        Call.of(op, tensor(DType.BOOL, 2)),
        op.name()
            + ": the argument x must be a tensor of numbers, but is R.Tensor((2,),"
            + " dtype=\"bool\")");
  }

  @Test
  void floatsOfEightBitsAreCastFirst() {
    refused(
        Functions.exp(tensor(DType.FLOAT8_E4M3FN, 2)),
        "exp: the argument x must be a tensor of floats, which float8 becomes by astype, but is"
            + " R.Tensor((2,), dtype=\"float8_e4m3fn\")");
  }

  @Test
  void bitwiseNotRefusesFloats() {
    refused(
        Functions.bitwiseNot(floats(2)),
        "bitwise_not: the argument x must be a tensor of integers or booleans, but is"
            + " R.Tensor((2,), dtype=\"float32\")");
  }

  @Test
  void refuseAttributesThatTheyDoNotHave() {
    refused(
        Call.of(Activations.RELU, List.of(floats(2)), Attrs.of("alpha", 1)),
        "nn.relu has no attribute alpha; it has none");
    refused(
        Call.of(Activations.SOFTPLUS, List.of(floats(2)), Attrs.of("alpha", 1)),
        "nn.softplus has no attribute alpha; it has beta, threshold");
    refused(Activations.softplus(floats(2), 0, 1), "nn.softplus: beta must not be 0");
  }

  @ParameterizedTest
  @MethodSource("ofFloats")
  void runOnAllFloatsAndOnNothing(OpDef op) {
    for (DType dtype : FLOATS) {
      Tensor ones = Tensor.zeros(dtype, Shape.of(2));
      ones.fill(1);
      assertThat(Execution.text(Call.of(op, tensor(dtype, 2)), ones)).startsWith(dtype + " [2] [");
      assertThat(
              Execution.text(Call.of(op, tensor(dtype, 0, 3)), Tensor.zeros(dtype, Shape.of(0, 3))))
          .isEqualTo(dtype + " [0, 3] []");
    }
  }

  @ParameterizedTest
  @FieldSource("NUMBERS")
  void runOnAllNumbersAndOnNothing(OpDef op) {
    for (DType dtype : Stream.concat(FLOATS.stream(), INTEGERS.stream()).toList()) {
      Tensor zeros = Tensor.zeros(dtype, Shape.of(1));
      String element = dtype.isFloat() ? "-?0.0" : "0";
      assertThat(Execution.text(Call.of(op, tensor(dtype, 1)), zeros))
          .matches(dtype + " \\[1\\] \\[" + element + "\\]");
      assertThat(Execution.text(Call.of(op, tensor(dtype, 0)), Tensor.zeros(dtype, Shape.of(0))))
          .endsWith("[]");
    }
  }

  @Test
  void haveKernelsOfTheNamesThatTvmGivesThem() {
    Stream.concat(ofFloats().stream(), NUMBERS.stream())
        .filter(op -> !op.name().startsWith("nn.") && !op.equals(Functions.ERF))
        .forEach(
            op ->
                assertThat(Execution.kernels(Call.of(op, floats(2))))
                    .containsExactly("tir_" + op.name()));
    assertThat(Execution.kernels(Functions.erf(floats(2)))).containsExactly("erf");
    assertThat(Execution.kernels(Activations.relu(floats(2)))).containsExactly("relu");
    assertThat(Execution.kernels(Activations.leakyRelu(floats(2), 0.1)))
        .containsExactly("leaky_relu");
    assertThat(Execution.kernels(Activations.geluTanh(floats(2)))).containsExactly("gelu_tanh");
  }

  @Test
  void computeWhatTheyAreCalled() {
    Tensor x = Tensor.of(new float[] {-2.5f, 0.5f, 9}, Shape.of(3));
    RelaxVar v = floats(3);
    assertThat(Execution.text(Functions.round(v), x)).isEqualTo("float32 [3] [-2.0, 0.0, 9.0]");
    assertThat(Execution.text(Functions.sign(v), x)).isEqualTo("float32 [3] [-1.0, 1.0, 1.0]");
    assertThat(Execution.text(Functions.isFinite(v), x)).isEqualTo("bool [3] [1, 1, 1]");
    assertThat(Execution.text(Activations.leakyRelu(v, 0.5), x))
        .isEqualTo("float32 [3] [-1.25, 0.5, 9.0]");
    assertThat(Execution.text(Activations.softplus(v, 1, -9), x))
        .isEqualTo("float32 [3] [-2.5, 0.5, 9.0]");
    assertThat(Execution.text(Activations.relu6(v), x)).isEqualTo("float32 [3] [0.0, 0.5, 6.0]");
  }

  @Test
  void convertElements() {
    RelaxVar x = floats(2);
    Tensor data = Tensor.of(new float[] {1.5f, -2.5f}, Shape.of(2));
    assertThat(Execution.text(Conversions.astype(x, DType.INT64), data))
        .isEqualTo("int64 [2] [1, -2]");
    assertThat(Execution.text(Conversions.wrapParam(x, DType.FLOAT16), data))
        .isEqualTo("float16 [2] [1.5, -2.5]");
    assertThat(Execution.text(Conversions.astype(x, DType.FLOAT8_E5M2), data))
        .isEqualTo("float8_e5m2 [2] [1.5, -2.5]");
    Tensor bytes = Tensor.of(new byte[] {0x3E, (byte) 0xC1}, DType.FLOAT8_E5M2, Shape.of(2));
    assertThat(
            Execution.text(Conversions.astype(tensor(DType.FLOAT8_E5M2, 2), DType.FLOAT16), bytes))
        .isEqualTo("float16 [2] [1.5, -2.5]");
    assertThat(Execution.kernels(Conversions.astype(x, DType.INT64))).containsExactly("cast");
    assertThat(Execution.kernels(Conversions.astype(x, DType.FLOAT32))).isEmpty();
    is(Conversions.astype(unknown(), DType.BOOL), "R.Tensor(dtype=\"bool\")");
    is(Call.of(Conversions.WRAP_PARAM, ints(2)), "R.Tensor((2,), dtype=\"float32\")");
    refused(Call.of(Conversions.ASTYPE, x), "astype: the attribute dtype must be given: a dtype");
  }

  @Test
  void clipToBoundsThatTheDtypeHas() {
    RelaxVar x = ints(3);
    Tensor data = Tensor.of(new long[] {-5, 1, 5}, Shape.of(3));
    PrimValue low = new PrimValue(new FloatImm(DType.FLOAT32, -1.5));
    assertThat(Execution.text(Conversions.clip(x, low, PrimValue.of(3)), data))
        .isEqualTo("int64 [3] [-1, 1, 3]");
    refused(
        Conversions.clip(x, floats(), PrimValue.of(3)),
        "clip: the argument min must be a scalar, but is R.Tensor((), dtype=\"float32\")");
  }
}
