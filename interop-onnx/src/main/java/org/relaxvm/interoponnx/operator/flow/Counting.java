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

  /** A step that has two values. */
  @FunctionalInterface
  public interface TwoValues {
    /** The two values after an iteration. */
    List<Operand> after(PrimExpr iteration, Operand first, Operand second);
  }

  /** The last value of a loop. */
  public static Operand fold(
      NodeContext node,
      PrimExpr count,
      Operand initial,
      BiFunction<PrimExpr, Operand, Operand> step) {
    return LoopEmitter.emit(
            node,
            Loop.counted(
                count,
                List.of(initial),
                0,
                each -> results(List.of(step.apply(number(each), each.carried().getFirst())))))
        .getFirst();
  }

  /** The first one of the last two values of a loop. */
  public static Operand foldWith(
      NodeContext node, PrimExpr count, Operand first, Operand second, TwoValues step) {
    return LoopEmitter.emit(
            node,
            Loop.counted(
                count,
                List.of(first, second),
                0,
                each ->
                    results(
                        step.after(number(each), each.carried().get(0), each.carried().get(1)))))
        .getFirst();
  }

  private static Results results(List<Operand> carried) {
    return new Results(Conditions.TRUE, carried, List.of());
  }

  /** The number of an iteration. */
  static PrimExpr number(Iteration iteration) {
    return ((Known) iteration.number()).integers().orElseThrow().getFirst();
  }
}
