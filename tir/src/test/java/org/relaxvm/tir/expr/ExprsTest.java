package org.relaxvm.tir.expr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.InvalidProgramException;

class ExprsTest {
  private final Var n = Var.index("n");
  private final Var m = Var.index("m");
  private final Var x = new Var("x", DType.FLOAT32);
  private final Var flag = new Var("flag", DType.BOOL);

  @Test
  void constantsAreFoldedAsTheyAreMade() {
    assertThat(Exprs.mul(IntImm.of(2), 3)).isEqualTo(IntImm.of(6));
    assertThat(Exprs.sub(IntImm.of(2), 3)).isEqualTo(IntImm.of(-1));
    assertThat(Exprs.min(IntImm.of(2), IntImm.of(3))).isEqualTo(IntImm.of(2));
    assertThat(Exprs.max(IntImm.of(2), IntImm.of(3))).isEqualTo(IntImm.of(3));
    assertThat(Exprs.lt(IntImm.of(2), IntImm.of(3))).isEqualTo(IntImm.of(true));
    assertThat(Exprs.eq(IntImm.of(2), IntImm.of(3))).isEqualTo(IntImm.of(false));
    assertThat(Exprs.not(IntImm.of(true))).isEqualTo(IntImm.of(false));
    assertThat(Exprs.ceilDiv(IntImm.of(33), IntImm.of(16))).isEqualTo(IntImm.of(3));
  }

  @Test
  void divisionsOfConstantsRoundAsTheirNamesSay() {
    assertThat(Exprs.floorDiv(IntImm.of(-7), 2)).isEqualTo(IntImm.of(-4));
    assertThat(Exprs.floorMod(IntImm.of(-7), 2)).isEqualTo(IntImm.of(1));
    assertThat(Exprs.binary(BinaryOp.DIV, IntImm.of(-7), IntImm.of(2))).isEqualTo(IntImm.of(-3));
    assertThat(Exprs.binary(BinaryOp.MOD, IntImm.of(-7), IntImm.of(2))).isEqualTo(IntImm.of(-1));
  }

  @Test
  void whatChangesNothingIsLeftOut() {
    assertThat(Exprs.add(n, 0)).isSameAs(n);
    assertThat(Exprs.add(IntImm.of(0), n)).isSameAs(n);
    assertThat(Exprs.sub(n, 0)).isSameAs(n);
    assertThat(Exprs.mul(n, 1)).isSameAs(n);
    assertThat(Exprs.mul(IntImm.of(1), n)).isSameAs(n);
    assertThat(Exprs.mul(n, 0)).isEqualTo(IntImm.of(0));
    assertThat(Exprs.mul(IntImm.of(0), n)).isEqualTo(IntImm.of(0));
    assertThat(Exprs.floorDiv(n, 1)).isSameAs(n);
    assertThat(Exprs.floorMod(n, 1)).isEqualTo(IntImm.of(0));
    assertThat(Exprs.binary(BinaryOp.DIV, n, IntImm.of(1))).isSameAs(n);
    assertThat(Exprs.binary(BinaryOp.MOD, n, IntImm.of(1))).isEqualTo(IntImm.of(0));
    assertThat(Exprs.min(n, n)).isSameAs(n);
    assertThat(Exprs.max(n, n)).isSameAs(n);
    assertThat(Exprs.and(IntImm.of(true), flag)).isSameAs(flag);
    assertThat(Exprs.or(IntImm.of(false), flag)).isSameAs(flag);
    assertThat(Exprs.and(flag, IntImm.of(false))).isEqualTo(IntImm.of(false));
    assertThat(Exprs.or(flag, IntImm.of(true))).isEqualTo(IntImm.of(true));
    assertThat(Exprs.select(IntImm.of(false), n, m)).isSameAs(m);
    assertThat(Exprs.ifThenElse(IntImm.of(true), n, m)).isSameAs(n);
  }

  @Test
  void operandsKeepTheirOrder() {
    assertThat(Exprs.mul(IntImm.of(8), n))
        .isEqualTo(new Binary(BinaryOp.MUL, IntImm.of(8), n))
        .isNotEqualTo(Exprs.mul(n, 8));
    assertThat(Exprs.add(n, m)).isNotEqualTo(Exprs.add(m, n));
  }

  @Test
  void constantTakesTheDTypeOfTheOtherSide() {
    Var small = new Var("small", DType.INT32);
    assertThat(Exprs.add(small, 3))
        .isEqualTo(new Binary(BinaryOp.ADD, small, new IntImm(DType.INT32, 3)));
    assertThat(Exprs.mul(IntImm.of(2), x))
        .isEqualTo(new Binary(BinaryOp.MUL, new FloatImm(DType.FLOAT32, 2), x));
    assertThat(Exprs.cast(DType.UINT8, IntImm.of(300))).isEqualTo(new IntImm(DType.UINT8, 44));
  }

  @Test
  void secondOfTwoConstantsTakesTheDTypeOfTheFirst() {
    IntImm three = new IntImm(DType.INT32, 3);
    assertThat(Exprs.add(three, 5)).isEqualTo(new IntImm(DType.INT32, 8));
    assertThat(Exprs.add(IntImm.of(5), three)).isEqualTo(IntImm.of(8));
    assertThat(Exprs.lt(three, IntImm.of(5))).isEqualTo(IntImm.of(true));
  }

  @Test
  void floatsAndDivisionsByZeroAreNotFolded() {
    FloatImm zero = new FloatImm(DType.FLOAT32, 0);
    assertThat(Exprs.add(x, zero)).isEqualTo(new Binary(BinaryOp.ADD, x, zero));
    assertThat(Exprs.mul(x, 0)).isEqualTo(new Binary(BinaryOp.MUL, x, zero));
    assertThat(Exprs.max(x, x)).isEqualTo(new Binary(BinaryOp.MAX, x, x));
    assertThat(Exprs.floorDiv(IntImm.of(1), 0))
        .isEqualTo(new Binary(BinaryOp.FLOOR_DIV, IntImm.of(1), IntImm.of(0)));
    assertThatThrownBy(() -> IntegerMath.apply(BinaryOp.FLOOR_DIV, DType.INT64, 1, 0))
        .isInstanceOf(CallException.class)
        .hasMessage("an integer is divided by 0 (//)");
  }

  @Test
  void constantsWrapAroundInTheirDType() {
    IntImm large = new IntImm(DType.INT8, 127);
    assertThat(Exprs.add(large, 1)).isEqualTo(new IntImm(DType.INT8, -128));
    assertThat(Exprs.sub(new IntImm(DType.UINT8, 0), 1)).isEqualTo(new IntImm(DType.UINT8, 255));
    assertThat(Exprs.lt(new IntImm(DType.UINT64, -1), new IntImm(DType.UINT64, 1)))
        .isEqualTo(IntImm.of(false));
  }

  @Test
  void stridesAndOffsetsOfRows() {
    List<PrimExpr> strides = Exprs.rowMajorStrides(List.of(n, m, IntImm.of(4)));
    assertThat(strides)
        .isEqualTo(List.of(new Binary(BinaryOp.MUL, IntImm.of(4), m), IntImm.of(4), IntImm.of(1)));
    assertThat(Exprs.dot(List.of(n, m), List.of(m, IntImm.of(1))))
        .isEqualTo(Exprs.add(Exprs.mul(n, m), m));
  }

  @Test
  void varsAreEqualByIdentity() {
    assertThat(Exprs.add(n, 1)).isEqualTo(Exprs.add(n, 1));
    assertThat(Exprs.add(Var.index("n"), 1)).isNotEqualTo(Exprs.add(n, 1));
  }

  @Test
  void operandsOfOneOperationHaveOneDType() {
    refused(() -> Exprs.add(n, x), "+ needs operands of one dtype, but got int64 and float32");
    refused(
        () -> Exprs.select(flag, n, x),
        "select needs operands of one dtype, but got int64 and float32");
    refused(() -> Exprs.select(n, n, m), "the condition of select must be bool, but is int64");
    refused(() -> Exprs.not(n), "the operand of not must be bool, but is int64");
  }

  @Test
  void operationsRefuseDTypesThatTheyDoNotHave() {
    refused(() -> Exprs.add(flag, flag), "+ cannot work on operands of dtype bool");
    refused(() -> Exprs.and(n, m), "and cannot work on operands of dtype int64");
    refused(() -> Exprs.call(Intrinsic.EXP, n), "exp cannot work on arguments of dtype int64");
    refused(
        () -> Exprs.call(Intrinsic.BITWISE_AND, x, x),
        "bitwise_and cannot work on arguments of dtype float32");
    refused(() -> Exprs.call(Intrinsic.EXP, x, x), "exp takes 1 argument, but got 2");
    refused(
        () -> Exprs.call(Intrinsic.ATAN2, x, n),
        "atan2 needs operands of one dtype, but got float32 and int64");
  }

  @Test
  void constantsFitTheirDType() {
    refused(() -> new IntImm(DType.INT8, 128), "the constant 128 does not fit int8");
    refused(() -> new IntImm(DType.FLOAT32, 1), "an integer constant cannot be of dtype float32");
    refused(
        () -> new FloatImm(DType.INT32, 1), "a floating-point constant cannot be of dtype int32");
    refused(() -> Exprs.constant(DType.INT32, 0.5), "the constant 0.5 does not fit int32");
    refused(
        () -> Exprs.constant(DType.INT64, 0x1p63),
        "the constant 9.223372036854776E18 does not fit int64");
  }

  @Test
  void floatsOfEightBitsAreKeptAndCastButNotComputedWith() {
    PrimExpr small = new Cast(DType.FLOAT8_E4M3FN, x);
    PrimExpr other = new FloatImm(DType.FLOAT8_E4M3FN, 1.5);
    assertThat(Exprs.select(flag, small, other).dtype()).isEqualTo(DType.FLOAT8_E4M3FN);
    assertThat(Exprs.ifThenElse(flag, small, other).dtype()).isEqualTo(DType.FLOAT8_E4M3FN);
    String remedy =
        " does not compute with float8_e4m3fn\n"
            + "  what to do: cast to float16 or float32, compute, and cast back";
    refused(() -> Exprs.add(small, other), "+" + remedy);
    refused(() -> Exprs.lt(small, other), "<" + remedy);
    refused(() -> Exprs.call(Intrinsic.EXP, small), "exp" + remedy);
    refused(() -> Exprs.call(Intrinsic.ISNAN, small), "isnan" + remedy);
  }

  @Test
  void dtypesAreScalar() {
    String there =
        "\n  what there is: bool, int8 to int64, uint8 to uint64, float8_e4m3fn, float8_e5m2,"
            + " float16, bfloat16, float32, float64";
    refused(() -> new Var("v", DType.VOID), "the variable v cannot be of dtype void" + there);
    refused(
        () -> new Cast(DType.parse("float32x4"), x),
        "the result of a cast cannot be of dtype float32x4" + there);
    refused(
        () -> Buffer.of("A", DType.parse("int4"), List.of()),
        "the buffer A cannot be of dtype int4" + there);
  }

  @Test
  void buffersCountTheirAxes() {
    Buffer buffer = Buffer.of("A", DType.FLOAT32, List.of(n, m));
    assertThat(buffer.load(n, m).dtype()).isEqualTo(DType.FLOAT32);
    refused(() -> buffer.load(n), "the buffer A has 2 axes, but got 1 index");
    refused(() -> buffer.load(n, x), "an index of the buffer A must be int64, but is float32");
    refused(
        () -> Buffer.of("B", DType.FLOAT32, List.of(flag)),
        "an extent of the buffer B must be int64, but is bool");
    refused(
        () ->
            new Buffer(
                "B", DType.INT8, List.of(n, m), List.of(n), IntImm.of(0), MemoryScope.GLOBAL),
        "the buffer B has 2 axes, but 1 stride");
    refused(
        () -> new Buffer("B", DType.INT8, List.of(n), List.of(x), n, MemoryScope.GLOBAL),
        "a stride of the buffer B must be int64, but is float32");
    refused(
        () -> new Buffer("B", DType.INT8, List.of(n), List.of(m), x, MemoryScope.GLOBAL),
        "the offset of the buffer B must be int64, but is float32");
  }

  private static void refused(ThrowingCallable work, String message) {
    assertThatThrownBy(work).isInstanceOf(InvalidProgramException.class).hasMessage(message);
  }
}
