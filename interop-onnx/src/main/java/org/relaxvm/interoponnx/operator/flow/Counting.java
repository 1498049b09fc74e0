package org.relaxvm.interoponnx.operator.flow;

import java.util.List;
import java.util.function.BiFunction;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.operator.flow.LoopBody.Iteration;
import org.relaxvm.interoponnx.operator.flow.LoopBody.Results;
import org.relaxvm.interoponnx.value.Known;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.tir.expr.PrimExpr;

/** Loops of operators that are written in terms of loops. */
public final class Counting {
  private Counting() {}

  /**
   * The last values of a loop.
   *
   * @param count the number of iterations
   * @param initial the values that the first iteration gets
   * @param step the values after an iteration, by its number and those before; called once for each
   *     time that an iteration is emitted
   */
  public static List<Operand> fold(
      NodeContext node,
      PrimExpr count,
      List<Operand> initial,
      BiFunction<PrimExpr, List<Operand>, List<Operand>> step) {
    return LoopEmitter.emit(
        node,
        Loop.counted(
            count,
            initial,
            0,
            each ->
                new Results(Conditions.TRUE, step.apply(number(each), each.carried()), List.of())));
  }

  /** The number of an iteration. */
  static PrimExpr number(Iteration iteration) {
    return ((Known) iteration.number()).integers().orElseThrow().getFirst();
  }
}
