package org.relaxvm.compiler.op.elementwise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.compiler.op.Rules.any;
import static org.relaxvm.compiler.op.Rules.floats;
import static org.relaxvm.compiler.op.Rules.ints;
import static org.relaxvm.compiler.op.Rules.is;
import static org.relaxvm.compiler.op.Rules.of;
import static org.relaxvm.compiler.op.Rules.ofRank;
import static org.relaxvm.compiler.op.Rules.onDevice;
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
import org.junit.jupiter.params.provider.MethodSource;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Constant;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.op.Execution;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.Var;

class BinaryTest {
  private final Var n = Var.index("n");
  private final Var m = Var.index("m");

  static List<OpDef> all() {
    return Stream.of(Arithmetic.all(), Comparisons.all(), Logic.all())
        .flatMap(List::stream)
        .filter(op -> !op.equals(Arithmetic.EWISE_FMA))
        .toList();
  }

  /** A dtype that an operator takes. */
  private static DType dtype(OpDef op) {
    return op.name().startsWith("logical")
        ? DType.BOOL
        : op.name().startsWith("bitwise") || op.name().endsWith("shift")
            ? DType.INT64
            : DType.FLOAT32;
  }

  private static DType result(OpDef op) {
    return Comparisons.all().contains(op) ? DType.BOOL : dtype(op);
  }

  private void added(Expr a, Expr b, String type) {
    is(Arithmetic.add(a, b), type);
    is(Arithmetic.add(b, a), type);
  }

  @ParameterizedTest
  @MethodSource("all")
  void knowAsMuchAsTheirOperands(OpDef op) {
    String dtype = ", dtype=\"" + result(op) + "\"";
    RelaxVar x = tensor(dtype(op), 2, n);
    RelaxVar ranked = of(TensorType.ofRank(dtype(op), 3));
    RelaxVar some = of(TensorType.ofRank(dtype(op), -1));
    is(Call.of(op, x, x), "R.Tensor((2, n)" + dtype + ")");
    is(Call.of(op, x, ranked), "R.Tensor(" + dtype.substring(2) + ", ndim=3)");
    is(Call.of(op, x, some), "R.Tensor(" + dtype.substring(2) + ")");
    boolean tests = Comparisons.all().contains(op);
    is(Call.of(op, x, unknown()), tests ? "R.Tensor(dtype=\"bool\")" : "R.Tensor");
    is(Call.of(op, unknown(), unknown()), tests ? "R.Tensor(dtype=\"bool\")" : "R.Tensor");
  }

  @ParameterizedTest
  @MethodSource("all")
  void refuseWhatTheyDoNotTake(OpDef op) {
    RelaxVar x = tensor(dtype(op), 2);
    refused(
        Call.of(op, x, any()),
        op.name() + ": the argument x2 must be a tensor or a scalar, but is R.Any");
    refused(Call.of(op, x), op.name() + " takes 2 arguments (x1, x2), but got 1");
    refused(
        Call.of(op, x, tensor(dtype(op), 3)),
        op.name()
            + ": cannot broadcast (2,) and (3,): of axis 0 the extents are 2 and 3; expected equal"
            + " ones, or 1");
  }

  @Test
  void refuseDtypesWithoutAMeaning() {
    RelaxVar booleans = tensor(DType.BOOL, 2);
    String areBooleans = ", but is R.Tensor((2,), dtype=\"bool\")";
    String isFloat = ", but is R.Tensor((2,), dtype=\"float32\")";
    String isInt = ", but is R.Tensor((2,), dtype=\"int64\")";
    refused(
        Arithmetic.add(booleans, booleans),
        "add: the argument x1 must be of numbers" + areBooleans);
    refused(
        Comparisons.less(booleans, booleans),
        "less: the argument x1 must be of numbers" + areBooleans);
    refused(Arithmetic.atan2(ints(2), ints(2)), "atan2: the argument x1 must be of floats" + isInt);
    refused(
        Logic.leftShift(floats(2), floats(2)),
        "left_shift: the argument x1 must be of integers" + isFloat);
    refused(
        Logic.bitwiseAnd(floats(2), floats(2)),
        "bitwise_and: the argument x1 must be of integers or booleans" + isFloat);
    refused(
        Logic.logicalAnd(booleans, ints(2)),
        "logical_and: the argument x2 must be of booleans" + isInt);
  }

  @Test
  void refuseTwoDtypesAndTwoVirtualDevices() {
    refused(
        Arithmetic.add(floats(2), ints(2)),
        "add: expected one dtype, but x1 is float32 and x2 is int64; use astype");
    refused(
        Arithmetic.add(floats(2), PrimValue.of(1)),
        "add: expected one dtype, but x1 is float32 and x2 is int64; use astype");
    refused(
        Arithmetic.add(onDevice("cuda"), onDevice("llvm")),
        "add: expected one virtual device, but x1 lies in cuda:0:global and x2 lies in"
            + " llvm:0:global; use to_vdevice");
    is(
        Arithmetic.add(floats(2), onDevice("cuda")),
        "R.Tensor((2,), dtype=\"float32\", vdevice=\"cuda:0:global\")");
  }

  @Test
  void broadcast() {
    added(floats(1, n), floats(n, 1), "R.Tensor((n, n), dtype=\"float32\")");
    added(floats(m), floats(1), "R.Tensor((m,), dtype=\"float32\")");
    added(floats(m), floats(m), "R.Tensor((m,), dtype=\"float32\")");
    is(
        Arithmetic.add(floats(Exprs.add(m, n)), floats(Exprs.add(n, m))),
        "R.Tensor((m + n,), dtype=\"float32\")");
    added(floats(m), floats(n), "R.Tensor(dtype=\"float32\", ndim=1)");
    added(floats(n), floats(4), "R.Tensor(dtype=\"float32\", ndim=1)");
    added(floats(2, 3, 4), floats(3, 1), "R.Tensor((2, 3, 4), dtype=\"float32\")");
    added(floats(2, 3), floats(), "R.Tensor((2, 3), dtype=\"float32\")");
    added(floats(0, 3), floats(1, 3), "R.Tensor((0, 3), dtype=\"float32\")");
    added(ofRank(2), floats(5, 1, 1), "R.Tensor(dtype=\"float32\", ndim=3)");
    added(someFloats(), floats(), "R.Tensor(dtype=\"float32\")");
    refused(
        Arithmetic.add(floats(n, 3), floats(m, 0)),
        "add: cannot broadcast (n, 3) and (m, 0): of axis 1 the extents are 3 and 0; expected equal"
            + " ones, or 1");
  }

  @Test
  void keepTheVariableThatHoldsTheShape() {
    RelaxVar s = new RelaxVar("s", ShapeType.ofRank(2));
    RelaxVar unranked = new RelaxVar("u", ShapeType.unknown());
    RelaxVar x = of(TensorType.of(Optional.of(DType.FLOAT32), s));
    RelaxVar y = of(TensorType.of(Optional.of(DType.FLOAT32), unranked));
    added(x, x, "R.Tensor(s, dtype=\"float32\")");
    added(x, floats(), "R.Tensor(s, dtype=\"float32\")");
    added(x, new PrimValue(new FloatImm(DType.FLOAT32, 2)), "R.Tensor(s, dtype=\"float32\")");
    added(x, floats(1), "R.Tensor(dtype=\"float32\", ndim=2)");
    added(y, y, "R.Tensor(u, dtype=\"float32\")");
    added(y, floats(), "R.Tensor(dtype=\"float32\")");
    added(x, y, "R.Tensor(dtype=\"float32\")");
  }

  @Test
  void takeScalars() {
    PrimValue two = PrimValue.of(2);
    added(ints(3), two, "R.Tensor((3,), dtype=\"int64\")");
    added(ints(3), scalar(DType.INT64), "R.Tensor((3,), dtype=\"int64\")");
    added(two, scalar(DType.INT64), "R.Prim(\"int64\")");
    is(Comparisons.less(two, two), "R.Prim(\"bool\")");
    added(of(TensorType.unknown()), two, "R.Tensor");
    Tensor data = Tensor.of(new long[] {1, 2, 3}, Shape.of(3));
    assertThat(Execution.text(Arithmetic.subtract(two, ints(3)), data))
        .isEqualTo("int64 [3] [1, 0, -1]");
    assertThat(Execution.text(Arithmetic.subtract(ints(3), two), data))
        .isEqualTo("int64 [3] [-1, 0, 1]");
  }

  @Test
  void computeScalarsOfTheProgram() {
    PrimValue size = new PrimValue(Exprs.mul(n, 2));
    Expr call = Arithmetic.add(Arithmetic.multiply(size, PrimValue.of(3)), PrimValue.of(4));
    RelaxVar x = floats(n);
    Expr sized =
        Arithmetic.add(Conversions.astype(x, DType.INT64), Arithmetic.add(call, PrimValue.of(0)));
    assertThat(Execution.text(sized, Tensor.zeros(DType.FLOAT32, Shape.of(2))))
        .isEqualTo("int64 [2] [16, 16]");
    Expr undefined = Arithmetic.divide(PrimValue.of(1), PrimValue.of(0));
    assertThat(
            Execution.legalize(undefined)
                .relaxFunctions()
                .firstEntry()
                .getValue()
                .body()
                .bindings()
                .map(Object::toString))
        .containsExactly("gv = R.divide(R.prim_value(1), R.prim_value(0))");
  }

  @Test
  void putConstantsIntoTheKernel() {
    Constant two = new Constant(Tensor.scalar(2f));
    RelaxVar x = floats(2);
    Tensor data = Tensor.of(new float[] {3, 5}, Shape.of(2));
    assertThat(Execution.text(Arithmetic.subtract(x, two), data))
        .isEqualTo("float32 [2] [1.0, 3.0]");
    assertThat(Execution.text(Arithmetic.subtract(two, x), data))
        .isEqualTo("float32 [2] [-1.0, -3.0]");
    assertThat(Execution.text(Arithmetic.subtract(two, two))).isEqualTo("float32 [] [0.0]");
    assertThat(
            Execution.legalize(Arithmetic.subtract(two, x))
                .kernels()
                .firstEntry()
                .getValue()
                .kernel()
                .params())
        .hasSize(2);
  }

  @ParameterizedTest
  @MethodSource("all")
  void runBroadcastAndOnNothing(OpDef op) {
    DType dtype = dtype(op);
    Tensor a = Tensor.zeros(dtype, Shape.of(2, 1));
    Tensor b = Tensor.zeros(dtype, Shape.of(3));
    Call call = Call.of(op, tensor(dtype, n, 1), tensor(dtype, 3));
    assertThat(Execution.text(call, a, b)).startsWith(result(op) + " [2, 3] [");
    assertThat(Execution.kernels(call)).containsExactly(op.name());
    assertThat(Execution.text(call, Tensor.zeros(dtype, Shape.of(0, 1)), b))
        .isEqualTo(result(op) + " [0, 3] []");
  }

  @Test
  void runOnEachDtypeThatHasAMeaning() {
    for (DType dtype :
        List.of(
            DType.FLOAT16, DType.BFLOAT16, DType.FLOAT64, DType.INT8, DType.UINT8, DType.INT64)) {
      Tensor three = Tensor.zeros(dtype, Shape.of(1));
      three.fill(3);
      Call sum = Arithmetic.add(tensor(dtype, 1), tensor(dtype, 1));
      assertThat(Execution.text(sum, three, three))
          .isEqualTo(dtype + (dtype.isFloat() ? " [1] [6.0]" : " [1] [6]"));
    }
    Tensor yes = Tensor.of(new boolean[] {true, false}, Shape.of(2));
    Tensor no = Tensor.of(new boolean[] {true, true}, Shape.of(2));
    RelaxVar a = tensor(DType.BOOL, 2);
    RelaxVar b = tensor(DType.BOOL, 2);
    assertThat(Execution.text(Logic.bitwiseXor(a, b), yes, no)).isEqualTo("bool [2] [0, 1]");
    assertThat(Execution.text(Comparisons.equal(a, b), yes, no)).isEqualTo("bool [2] [1, 0]");
  }

  @Test
  void roundDivisionsOfIntegersAsTheySay() {
    RelaxVar a = ints(4);
    RelaxVar b = ints(4);
    Tensor x = Tensor.of(new long[] {7, -7, 7, 7}, Shape.of(4));
    Tensor y = Tensor.of(new long[] {2, 2, -2, 0}, Shape.of(4));
    assertThat(Execution.text(Arithmetic.divide(a, b), x, y)).isEqualTo("int64 [4] [3, -3, -3, 0]");
    assertThat(Execution.text(Arithmetic.floorDivide(a, b), x, y))
        .isEqualTo("int64 [4] [3, -4, -4, 0]");
    assertThat(Execution.text(Arithmetic.mod(a, b), x, y)).isEqualTo("int64 [4] [1, -1, 1, 0]");
    assertThat(Execution.text(Arithmetic.floorMod(a, b), x, y))
        .isEqualTo("int64 [4] [1, 1, -1, 0]");
  }

  @Test
  void fuseAProductAndASumOfOneShape() {
    RelaxVar x = floats(2, n);
    is(Arithmetic.ewiseFma(x, x, x), "R.Tensor((2, n), dtype=\"float32\")");
    is(Arithmetic.ewiseFma(someFloats(), x, ofRank(2)), "R.Tensor((2, n), dtype=\"float32\")");
    is(Arithmetic.ewiseFma(someFloats(), ofRank(2), unknown()), "R.Tensor(ndim=2)");
    refused(
        Arithmetic.ewiseFma(x, x, floats(3, n)),
        "ewise_fma: the extents of axis 0 must be equal, but are 2 and 3");
    refused(
        Arithmetic.ewiseFma(floats(2), floats(2), ofRank(2)),
        "ewise_fma: expected one number of axes, but x1 is R.Tensor((2,), dtype=\"float32\") and x3"
            + " is R.Tensor(dtype=\"float32\", ndim=2)");
    Tensor data = Tensor.of(new float[] {1, 2}, Shape.of(2, 1));
    assertThat(Execution.text(Arithmetic.ewiseFma(x, x, x), data))
        .isEqualTo("float32 [2, 1] [2.0, 6.0]");
  }
}
