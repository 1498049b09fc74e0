package org.relaxvm.tir.op.layout;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.op.AxisLists;
import org.relaxvm.tir.op.support.Check;
import org.relaxvm.tir.op.support.Dims;

/** An expression of an index map as a sum of parts of indices. */
final class DigitSum {
  private final IndexMap map;
  private final List<PrimExpr> shape;
  private final int along;

  private DigitSum(IndexMap map, List<PrimExpr> shape, int along) {
    this.map = map;
    this.shape = shape;
    this.along = along;
  }

  /**
   * The parts of the position along an axis of the result, but those that are always 0.
   *
   * @param shape of the tensor that the map is for
   */
  static List<Digit> of(IndexMap map, List<PrimExpr> shape, int along) {
    return new DigitSum(map, shape, along)
        .parts(map.finalIndices().get(along)).stream()
            .filter(digit -> !Dims.isOne(digit.extent()))
            .toList();
  }

  private List<Digit> parts(PrimExpr expr) {
    return switch (expr) {
      case Var var when map.axes().contains(var) -> {
        int axis = map.axes().indexOf(var);
        yield List.of(new Digit(axis, 1, shape.get(axis), true, IntImm.of(1)));
      }
      case IntImm imm when imm.value() == 0 -> List.of();
      case Binary(BinaryOp op, PrimExpr a, PrimExpr b) when op == BinaryOp.ADD ->
          AxisLists.joined(parts(a), parts(b));
      case Binary(BinaryOp op, PrimExpr a, PrimExpr b) when op == BinaryOp.MUL ->
          usesAxes(b) ? times(parts(b), a) : times(parts(a), b);
      case Binary(BinaryOp op, PrimExpr a, IntImm b)
          when op == BinaryOp.FLOOR_DIV && b.value() > 0 ->
          split(parts(a), b.value(), true);
      case Binary(BinaryOp op, PrimExpr a, IntImm b)
          when op == BinaryOp.FLOOR_MOD && b.value() > 0 ->
          split(parts(a), b.value(), false);
      default -> throw wrong(expr);
    };
  }

  private boolean usesAxes(PrimExpr expr) {
    return (expr instanceof Var var && map.axes().contains(var))
        || expr.operands().stream().anyMatch(this::usesAxes);
  }

  private List<Digit> times(List<Digit> digits, PrimExpr factor) {
    long known = Dims.known(factor).orElse(1);
    if (usesAxes(factor) || known < 0) {
      throw wrong(factor);
    }
    if (known == 0) {
      return List.of();
    }
    return digits.stream().map(digit -> digit.times(factor)).toList();
  }

  /** The quotient or the remainder of a sum. */
  private List<Digit> split(List<Digit> digits, long divisor, boolean quotient) {
    List<Digit> high = new ArrayList<>();
    List<Digit> low = new ArrayList<>();
    for (Digit digit : digits) {
      long scale = Dims.known(digit.scale()).orElseThrow(() -> wrong(digit.scale()));
      OptionalLong extent = Dims.known(digit.extent());
      long count = divisor / scale;
      if (scale % divisor == 0) {
        high.add(digit.high(1).times(IntImm.of(scale / divisor)));
      } else if (extent.isPresent() && extent.getAsLong() > 0 && extent.getAsLong() <= count) {
        low.add(digit);
      } else if (divisor % scale == 0) {
        high.add(digit.high(count));
        low.add(digit.low(count));
      } else {
        throw wrong(digit.scale());
      }
    }
    long most = 0;
    for (Digit digit : low) {
      long extent = Dims.known(digit.extent()).orElseThrow();
      most += (extent - 1) * Dims.known(digit.scale()).orElseThrow();
    }
    // Else a carry goes from the low parts to the high ones.
    Check.that(
        most < divisor,
        LayoutOps.OP,
        "the position along axis "
            + along
            + " divides a sum by "
            + divisor
            + ", but its parts below are up to "
            + most);
    return quotient ? high : low;
  }

  private InvalidProgramException wrong(PrimExpr part) {
    return Check.wrong(
        LayoutOps.OP,
        "expected sums of parts of indices, such as i // 4 * 8 + i % 4, but the position along"
            + " axis "
            + along
            + " has "
            + Dims.text(part));
  }
}
