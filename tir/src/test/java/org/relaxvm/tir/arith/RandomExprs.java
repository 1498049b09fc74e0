package org.relaxvm.tir.arith;

import java.util.List;
import java.util.Random;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Call;
import org.relaxvm.tir.expr.Cast;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.Not;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Select;
import org.relaxvm.tir.expr.Var;

/** Makes random expressions, of which index arithmetic stays small enough not to overflow. */
final class RandomExprs {
  private static final List<DType> NARROW = List.of(DType.INT8, DType.UINT8, DType.UINT64);
  private static final List<BinaryOp> SUMS = List.of(BinaryOp.ADD, BinaryOp.ADD, BinaryOp.SUB);
  private static final List<BinaryOp> DIVISIONS =
      List.of(
          BinaryOp.FLOOR_DIV,
          BinaryOp.FLOOR_MOD,
          BinaryOp.FLOOR_DIV,
          BinaryOp.FLOOR_MOD,
          BinaryOp.DIV,
          BinaryOp.MOD);
  private static final List<BinaryOp> COMPARISONS =
      List.of(BinaryOp.EQ, BinaryOp.NE, BinaryOp.LT, BinaryOp.LE, BinaryOp.GT, BinaryOp.GE);
  private static final long[] FACTORS = {-4, -3, -2, -1, 0, 1, 2, 3, 4, 4, 6, 8, 8, 12, 16};

  private final Random random;
  private final List<Var> vars;
  private final Buffer buffer = Buffer.of("A", DType.INT64, List.of(IntImm.of(1000)));

  /** Expressions of these variables, of all dtypes that are met. */
  RandomExprs(Random random, List<Var> vars) {
    this.random = random;
    this.vars = vars;
  }

  /** An expression of int64 or int32. */
  PrimExpr index(DType dtype, int depth) {
    if (depth == 0 || random.nextInt(8) == 0) {
      return random.nextInt(4) == 0 ? constant(dtype) : var(dtype);
    }
    PrimExpr a = index(dtype, depth - 1);
    return switch (random.nextInt(16)) {
      case 0, 1, 2, 3 -> binary(pick(SUMS), a, index(dtype, depth - 1));
      case 4, 5, 6 -> binary(BinaryOp.MUL, a, constant(dtype));
      case 7, 8, 9, 10 -> binary(pick(DIVISIONS), a, constant(dtype));
      case 11 -> binary(pick(DIVISIONS), a, index(dtype, depth - 1));
      case 12 ->
          binary(random.nextBoolean() ? BinaryOp.MIN : BinaryOp.MAX, a, index(dtype, depth - 1));
      case 13 -> new Select(condition(depth - 1), a, index(dtype, depth - 1));
      case 14 -> binary(BinaryOp.MUL, var(dtype), index(dtype, Math.min(depth - 1, 1)));
      default -> other(dtype, a, depth - 1);
    };
  }

  private PrimExpr other(DType dtype, PrimExpr a, int depth) {
    return switch (random.nextInt(6)) {
      case 0 -> Exprs.call(Intrinsic.ABS, a);
      case 1 -> Exprs.call(Intrinsic.BITWISE_AND, a, new IntImm(dtype, 7));
      case 2 -> new Cast(dtype, narrow(pick(NARROW), depth));
      case 3 -> new Call(Intrinsic.IF_THEN_ELSE, List.of(condition(depth), a, index(dtype, depth)));
      case 4 -> new Cast(dtype, condition(depth));
      default ->
          dtype.equals(DType.INT64) ? buffer.load(a) : new Cast(dtype, index(DType.INT64, depth));
    };
  }

  /** An expression of a dtype that wraps around. */
  PrimExpr narrow(DType dtype, int depth) {
    if (depth == 0 || random.nextInt(6) == 0) {
      return random.nextBoolean()
          ? new Cast(dtype, index(DType.INT64, 0))
          : new IntImm(dtype, random.nextInt(128));
    }
    List<BinaryOp> ops =
        List.of(
            BinaryOp.ADD,
            BinaryOp.SUB,
            BinaryOp.MUL,
            BinaryOp.FLOOR_DIV,
            BinaryOp.FLOOR_MOD,
            BinaryOp.MOD,
            BinaryOp.MIN,
            BinaryOp.MAX);
    return binary(pick(ops), narrow(dtype, depth - 1), narrow(dtype, depth - 1));
  }

  /** A boolean. */
  PrimExpr condition(int depth) {
    if (depth > 0) {
      switch (random.nextInt(8)) {
        case 0 -> {
          return binary(BinaryOp.AND, condition(depth - 1), condition(depth - 1));
        }
        case 1 -> {
          return binary(BinaryOp.OR, condition(depth - 1), condition(depth - 1));
        }
        case 2 -> {
          return new Not(condition(depth - 1));
        }
        case 3 -> {
          DType dtype = pick(NARROW);
          return binary(pick(COMPARISONS), narrow(dtype, depth - 1), narrow(dtype, depth - 1));
        }
        default -> {}
      }
    }
    DType dtype = random.nextInt(4) == 0 ? DType.INT32 : DType.INT64;
    int inner = Math.max(depth - 1, 0);
    PrimExpr right = random.nextBoolean() ? constant(dtype) : index(dtype, inner);
    return binary(pick(COMPARISONS), index(dtype, inner), right);
  }

  // Half are folded as they are made, as all that kernels contain are.
  private PrimExpr binary(BinaryOp op, PrimExpr a, PrimExpr b) {
    return random.nextBoolean() ? Exprs.binary(op, a, b) : new Binary(op, a, b);
  }

  private PrimExpr constant(DType dtype) {
    return new IntImm(dtype, FACTORS[random.nextInt(FACTORS.length)]);
  }

  private PrimExpr var(DType dtype) {
    List<Var> fitting = vars.stream().filter(each -> each.dtype().equals(dtype)).toList();
    return pick(fitting);
  }

  private <T> T pick(List<T> items) {
    return items.get(random.nextInt(items.size()));
  }
}
