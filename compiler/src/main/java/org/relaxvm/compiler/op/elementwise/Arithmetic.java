package org.relaxvm.compiler.op.elementwise;

import java.util.List;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.op.KernelCalls.KernelBody;
import org.relaxvm.compiler.op.OpCall;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.elementwise.BinaryDef.Domain;
import org.relaxvm.compiler.op.typerule.CommonDevice;
import org.relaxvm.compiler.op.typerule.ElementTypes;
import org.relaxvm.compiler.op.typerule.Extents;
import org.relaxvm.compiler.op.typerule.Operand;
import org.relaxvm.compiler.op.typerule.Ranks;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.BinaryOps;

/**
 * Arithmetic of two tensors of one dtype, which are broadcast; each may be a scalar instead.
 * Numbers where nothing else is said.
 *
 * <p>Source: docs/spec/op-set.md, section 2.2.
 */
public final class Arithmetic {
  /** {@code x1 + x2}; integers wrap around. */
  public static final OpDef ADD = BinaryDef.number("add", BinaryOp.ADD);

  /** {@code x1 - x2}; integers wrap around. */
  public static final OpDef SUBTRACT = BinaryDef.number("subtract", BinaryOp.SUB);

  /** {@code x1 * x2}; integers wrap around. */
  public static final OpDef MULTIPLY = BinaryDef.number("multiply", BinaryOp.MUL);

  /** {@code x1 / x2}; integers round towards 0, and a division by 0 gives 0. */
  public static final OpDef DIVIDE = BinaryDef.number("divide", BinaryOp.DIV);

  /** {@code x1 / x2} rounded down; of integers by 0 it is 0. */
  public static final OpDef FLOOR_DIVIDE = BinaryDef.number("floor_divide", BinaryOp.FLOOR_DIV);

  /**
   * The remainder of the division towards 0, with the sign of {@code x1}; of integers by 0 it is 0.
   */
  public static final OpDef MOD = BinaryDef.number("mod", BinaryOp.MOD);

  /** The remainder of the division down, with the sign of {@code x2}; of integers by 0 it is 0. */
  public static final OpDef FLOOR_MOD = BinaryDef.number("floor_mod", BinaryOp.FLOOR_MOD);

  /** The smaller one; NaN when either is. */
  public static final OpDef MINIMUM = BinaryDef.number("minimum", BinaryOp.MIN);

  /** The larger one; NaN when either is. */
  public static final OpDef MAXIMUM = BinaryDef.number("maximum", BinaryOp.MAX);

  /** {@code x1} to the power of {@code x2}. */
  public static final OpDef POWER = BinaryDef.number("power", Domain.NUMBERS, BinaryOps::power);

  /** The angle of the point {@code (x2, x1)}; floats. */
  public static final OpDef ATAN2 = BinaryDef.number("atan2", Domain.FLOATS, BinaryOps::atan2);

  /** {@code log(exp(x1) + exp(x2))}; floats. */
  public static final OpDef LOG_ADD_EXP =
      BinaryDef.number("log_add_exp", Domain.FLOATS, BinaryOps::logAddExp);

  /** {@code x1 * x2 + x3} of numbers, for tensors of one shape. */
  public static final OpDef EWISE_FMA =
      OpDef.named("ewise_fma")
          .args("x1", "x2", "x3")
          .rule(Arithmetic::fused)
          .legalizer(
              (call, kernels) ->
                  kernels.call(
                      "ewise_fma",
                      call,
                      KernelBody.one(
                          (k, in) ->
                              BinaryOps.fusedMultiplyAdd(
                                  k, "T_ewise_fma", in.tensor(0), in.tensor(1), in.tensor(2)))))
          .build();

  private Arithmetic() {}

  /** All of them. */
  public static List<OpDef> all() {
    return List.of(
        ADD,
        SUBTRACT,
        MULTIPLY,
        DIVIDE,
        FLOOR_DIVIDE,
        MOD,
        FLOOR_MOD,
        MINIMUM,
        MAXIMUM,
        POWER,
        ATAN2,
        LOG_ADD_EXP,
        EWISE_FMA);
  }

  /** {@code x1 + x2}; integers wrap around. */
  public static Call add(Expr x1, Expr x2) {
    return Call.of(ADD, x1, x2);
  }

  /** {@code x1 - x2}; integers wrap around. */
  public static Call subtract(Expr x1, Expr x2) {
    return Call.of(SUBTRACT, x1, x2);
  }

  /** {@code x1 * x2}; integers wrap around. */
  public static Call multiply(Expr x1, Expr x2) {
    return Call.of(MULTIPLY, x1, x2);
  }

  /** {@code x1 / x2}; integers round towards 0, and a division by 0 gives 0. */
  public static Call divide(Expr x1, Expr x2) {
    return Call.of(DIVIDE, x1, x2);
  }

  /** {@code x1 / x2} rounded down; of integers by 0 it is 0. */
  public static Call floorDivide(Expr x1, Expr x2) {
    return Call.of(FLOOR_DIVIDE, x1, x2);
  }

  /**
   * The remainder of the division towards 0, with the sign of {@code x1}; of integers by 0 it is 0.
   */
  public static Call mod(Expr x1, Expr x2) {
    return Call.of(MOD, x1, x2);
  }

  /** The remainder of the division down, with the sign of {@code x2}; of integers by 0 it is 0. */
  public static Call floorMod(Expr x1, Expr x2) {
    return Call.of(FLOOR_MOD, x1, x2);
  }

  /** The smaller one; NaN when either is. */
  public static Call minimum(Expr x1, Expr x2) {
    return Call.of(MINIMUM, x1, x2);
  }

  /** The larger one; NaN when either is. */
  public static Call maximum(Expr x1, Expr x2) {
    return Call.of(MAXIMUM, x1, x2);
  }

  /** {@code x1} to the power of {@code x2}. */
  public static Call power(Expr x1, Expr x2) {
    return Call.of(POWER, x1, x2);
  }

  /** The angle of the point {@code (x2, x1)}; floats. */
  public static Call atan2(Expr x1, Expr x2) {
    return Call.of(ATAN2, x1, x2);
  }

  /** {@code log(exp(x1) + exp(x2))}; floats. */
  public static Call logAddExp(Expr x1, Expr x2) {
    return Call.of(LOG_ADD_EXP, x1, x2);
  }

  /** {@code x1 * x2 + x3}, for tensors of one shape. */
  public static Call ewiseFma(Expr x1, Expr x2, Expr x3) {
    return Call.of(EWISE_FMA, x1, x2, x3);
  }

  private static Type fused(OpCall call) {
    List<Operand> operands = Operand.all(call, 0, 1, 2);
    TensorType shaped = ElementTypes.numbers(call, 0);
    for (int i = 1; i < operands.size(); i++) {
      TensorType other = ElementTypes.numbers(call, i);
      Ranks.requireSame(call, operands.getFirst(), operands.get(i));
      if (shaped.dims().isPresent() && other.dims().isPresent()) {
        requireSame(call, shaped.dims().get(), other.dims().get());
      } else if (shaped.shape().isEmpty() && (other.shape().isPresent() || !shaped.hasRank())) {
        shaped = other;
      }
    }
    return shaped
        .withDType(ElementTypes.same(call, operands))
        .withVDevice(CommonDevice.same(call, operands));
  }

  private static void requireSame(OpCall call, List<PrimExpr> a, List<PrimExpr> b) {
    for (int axis = 0; axis < a.size(); axis++) {
      Extents.requireSame(call, a.get(axis), b.get(axis), "axis " + axis);
    }
  }
}
