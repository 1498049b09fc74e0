package org.relaxvm.backendcpu.jit.functions;

import java.util.Arrays;
import java.util.function.BiFunction;
import org.relaxvm.backendcpu.jit.lir.LirWriter;
import org.relaxvm.backendcpu.jit.lir.Op;
import org.relaxvm.backendcpu.jit.lir.Operand;
import org.relaxvm.backendcpu.jit.lir.Operand.Reg;
import org.relaxvm.backendcpu.jit.lir.Relation;
import org.relaxvm.backendcpu.jit.lir.Target;
import org.relaxvm.backendcpu.jit.lir.Type;
import org.relaxvm.backendcpu.jit.lir.UnsupportedCodeException;
import org.relaxvm.tir.expr.Intrinsic;

/**
 * Functions of float32 and float64 of any number of lanes. Special values are those of C99. A lane
 * of a result depends on the same lane of the arguments only, and neither on the number of lanes
 * nor on the processor. Immutable and thread-safe; a {@link LirWriter} is not.
 *
 * <p>Functions of float32 other than the exponential ones, the logarithm and the error function are
 * computed in float64 and rounded once.
 */
public final class FloatFunctions {
  private final Target target;

  /**
   * Creates writers of functions.
   *
   * @param target decides how float64 is computed for lanes of float32
   */
  public FloatFunctions(Target target) {
    this.target = target;
  }

  /**
   * Appends a function.
   *
   * @param op a function of floats
   * @param type of float32 or float64: of the arguments, except the condition of {@link
   *     Intrinsic#IF_THEN_ELSE}
   * @return lanes of the type; for {@link Intrinsic#ISNAN}, {@link Intrinsic#ISINF} and {@link
   *     Intrinsic#ISFINITE} a condition: a mask, or a word that is 0 or 1 where there is one lane
   * @throws UnsupportedCodeException for functions that floats do not have
   */
  public Reg write(LirWriter writer, Intrinsic op, Type type, Operand... args) {
    if (args.length != op.arity()) {
      throw new IllegalArgumentException(
          "%s takes %d operands, but got %d".formatted(op.text(), op.arity(), args.length));
    }
    for (int i = op == Intrinsic.IF_THEN_ELSE ? 1 : 0; i < args.length; i++) {
      if (!args[i].type().equals(type)) {
        throw new IllegalArgumentException(
            "operands of %s must have type %s, but got %s"
                .formatted(op.text(), type, Arrays.toString(args)));
      }
    }
    return write(new LaneWriter(writer, target, type), op, args);
  }

  /**
   * Appends the remainder of {@code x / y}, exactly.
   *
   * @param isFloor whether the quotient is rounded down, so that the remainder has the sign of
   *     {@code y} if it is not 0; otherwise the quotient is rounded towards 0
   */
  public Reg writeRemainder(LirWriter writer, boolean isFloor, Type type, Operand x, Operand y) {
    Remainders remainders = new Remainders(new LaneWriter(writer, target, type));
    return isFloor ? remainders.floor(x, y) : remainders.truncated(x, y);
  }

  /** Appends the quotient in float64, rounded down, then to the type. */
  public Reg writeFloorQuotient(LirWriter writer, Type type, Operand x, Operand y) {
    return inDoubles(
        new LaneWriter(writer, target, type),
        (lanes, args) -> lanes.op(Op.FLOOR, lanes.div(args[0], args[1])),
        x,
        y);
  }

  private Reg write(LaneWriter lanes, Intrinsic op, Operand... args) {
    Operand x = args[0];
    return switch (op) {
      case CEIL -> lanes.op(Op.CEIL, x);
      case FLOOR -> lanes.op(Op.FLOOR, x);
      case NEARBYINT -> lanes.op(Op.NEAREST, x);
      case TRUNC -> lanes.op(Op.TRUNC, x);
      case ABS -> lanes.abs(x);
      case SQRT -> lanes.sqrt(x);
      case RSQRT -> lanes.div(lanes.of(1), lanes.sqrt(x));
      case ISNAN -> lanes.compare(Relation.NE, x, x);
      case ISINF -> lanes.compare(Relation.EQ, lanes.abs(x), lanes.of(Double.POSITIVE_INFINITY));
      case ISFINITE -> lanes.compare(Relation.LT, lanes.abs(x), lanes.of(Double.POSITIVE_INFINITY));
      case IF_THEN_ELSE -> lanes.choose(lanes.writer().inRegister(x), args[1], args[2]);
      case EXP -> new Exponentials(lanes, false).exp(x);
      case SIGMOID -> new Exponentials(lanes, false).sigmoid(x);
      case TANH -> new Exponentials(lanes, false).tanh(x);
      case LOG -> new Logarithms(lanes, false).log(x);
      case ERF -> new ErrorFunctions(lanes).erf(x);
      default ->
          inDoubles(
              lanes, (doubles, values) -> write64(doubles, op, lanes.isFloat32(), values), args);
    };
  }

  /** Functions that are computed in float64. */
  private static Reg write64(LaneWriter lanes, Intrinsic op, boolean isShort, Operand... args) {
    Operand x = args[0];
    return switch (op) {
      case SINH -> new Exponentials(lanes, isShort).sinh(x);
      case COSH -> new Exponentials(lanes, isShort).cosh(x);
      case ASINH -> new Logarithms(lanes, isShort).asinh(x);
      case ACOSH -> new Logarithms(lanes, isShort).acosh(x);
      case ATANH -> new Logarithms(lanes, isShort).atanh(x);
      case SIN -> new Trigonometry(lanes, isShort).sin(x);
      case COS -> new Trigonometry(lanes, isShort).cos(x);
      case TAN -> new Trigonometry(lanes, isShort).tan(x);
      case ASIN -> new Arcs(lanes, isShort).asin(x);
      case ACOS -> new Arcs(lanes, isShort).acos(x);
      case ATAN -> new Arcs(lanes, isShort).atan(x);
      case ATAN2 -> new Arcs(lanes, isShort).atan2(x, args[1]);
      case POW ->
          isShort ? new Powers(lanes).shortPow(x, args[1]) : new Powers(lanes).pow(x, args[1]);
      default -> throw new UnsupportedCodeException(op.text() + " of " + lanes.type());
    };
  }

  /** Computes in float64; lanes of float32 in halves if they do not fit a vector otherwise. */
  private Reg inDoubles(
      LaneWriter lanes, BiFunction<LaneWriter, Operand[], Reg> function, Operand... args) {
    if (!lanes.isFloat32()) {
      return function.apply(lanes, args);
    }
    Type type = lanes.type();
    LirWriter writer = lanes.writer();
    if (type.lanes() == 1 || 2 * type.totalBits() <= target.vectorBits()) {
      return widened(lanes, function, args);
    }
    LaneWriter half = new LaneWriter(writer, target, type.withLanes(type.lanes() / 2));
    Reg[] results = new Reg[2];
    for (int i = 0; i < 2; i++) {
      Operand[] halves = new Operand[args.length];
      for (int j = 0; j < args.length; j++) {
        Op op = i == 0 ? Op.LOW_HALF : Op.HIGH_HALF;
        halves[j] = writer.compute(op, half.type(), args[j]);
      }
      results[i] = inDoubles(half, function, halves);
    }
    return writer.compute(Op.JOIN, type, results[0], results[1]);
  }

  private static Reg widened(
      LaneWriter lanes, BiFunction<LaneWriter, Operand[], Reg> function, Operand... args) {
    LirWriter writer = lanes.writer();
    LaneWriter doubles = lanes.doubles();
    Operand[] wide = new Operand[args.length];
    for (int j = 0; j < args.length; j++) {
      wide[j] = writer.compute(Op.WIDEN, doubles.type(), args[j]);
    }
    return writer.compute(Op.NARROW, lanes.type(), function.apply(doubles, wide));
  }
}
