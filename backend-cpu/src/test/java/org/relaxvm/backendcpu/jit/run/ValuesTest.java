package org.relaxvm.backendcpu.jit.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Call;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Select;
import org.relaxvm.tir.expr.Var;

/** Expressions of the outer structure of kernels. */
class ValuesTest {
  private static final Var N = Var.index("n");
  private static final Var U = new Var("u", DType.UINT64);
  private static final Var B = new Var("b", DType.INT8);
  private static final Var X = new Var("x", DType.FLOAT32);
  private static final BlockLayout LAYOUT = BlockLayout.of(List.of(), List.of(N, U, B, X));

  private static long value(PrimExpr expr, long n, long u, long b) {
    MemorySegment block = Arena.ofAuto().allocate(LAYOUT.byteSize(), 64);
    block.set(ValueLayout.JAVA_LONG, LAYOUT.offset(N), n);
    block.set(ValueLayout.JAVA_LONG, LAYOUT.offset(U), u);
    block.set(ValueLayout.JAVA_LONG, LAYOUT.offset(B), b);
    assertThat(Values.computes(expr)).as("Java computes %s", expr).isTrue();
    return Values.of(expr, LAYOUT).in(block);
  }

  private static PrimExpr binary(BinaryOp op, PrimExpr a, PrimExpr b) {
    return Exprs.binary(op, a, b);
  }

  @Test
  void integersWrapAroundInTheirDtype() {
    PrimExpr sum = binary(BinaryOp.ADD, B, new IntImm(DType.INT8, 100));
    assertThat(value(sum, 0, 0, 100)).isEqualTo(-56);
    assertThat(value(Exprs.cast(DType.UINT8, B), 0, 0, -1)).isEqualTo(255);
    assertThat(value(Exprs.cast(DType.BOOL, N), 256, 0, 0)).isEqualTo(1);
  }

  @Test
  void unsignedIntegersAreComparedWithoutSign() {
    PrimExpr isSmall = binary(BinaryOp.LT, U, new IntImm(DType.UINT64, 5));
    assertThat(value(isSmall, 0, -1, 0)).isZero();
    assertThat(value(isSmall, 0, 4, 0)).isEqualTo(1);
    assertThat(value(Exprs.not(isSmall), 0, 4, 0)).isZero();
  }

  @Test
  void onlyTheChosenValueIsComputed() {
    PrimExpr quotient = binary(BinaryOp.FLOOR_DIV, IntImm.of(-7), N);
    PrimExpr guarded = new Select(binary(BinaryOp.NE, N, IntImm.of(0)), quotient, IntImm.of(3));
    assertThat(value(guarded, 2, 0, 0)).isEqualTo(-4);
    assertThat(value(guarded, 0, 0, 0)).isEqualTo(3);
    assertThatThrownBy(() -> value(quotient, 0, 0, 0)).isInstanceOf(ArithmeticException.class);
  }

  @Test
  void functionsOfBits() {
    PrimExpr shifted = new Call(Intrinsic.SHIFT_LEFT, List.of(N, IntImm.of(64)));
    assertThat(value(shifted, 1, 0, 0)).isZero();
    assertThat(value(new Call(Intrinsic.BITWISE_NOT, List.of(B)), 0, 0, 5)).isEqualTo(-6);
  }

  @Test
  void loadsAndFloatsAreCode() {
    Buffer buffer = Buffer.of("A", DType.INT64, List.of(IntImm.of(1)));
    assertThat(Values.computes(Exprs.add(N, buffer.load(IntImm.of(0))))).isFalse();
    assertThat(Values.computes(binary(BinaryOp.LT, X, Exprs.cast(DType.FLOAT32, N)))).isFalse();
    assertThat(Values.computes(Exprs.cast(DType.INT64, X))).isFalse();
    assertThat(Values.computes(X)).isTrue();
  }
}
