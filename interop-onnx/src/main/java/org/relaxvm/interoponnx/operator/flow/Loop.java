package org.relaxvm.interoponnx.operator.flow;

import java.util.List;
import java.util.Optional;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.tir.expr.PrimExpr;

/**
 * A loop.
 *
 * @param trips the number of iterations at most; empty where only the condition ends the loop
 * @param condition whether there is a first iteration, as a boolean of one element
 * @param isCounted whether each iteration is followed by another one, up to the number of trips
 * @param carried the values that the first iteration gets
 * @param scans the number of results that are collected
 */
record Loop(
    Optional<PrimExpr> trips,
    Operand condition,
    boolean isCounted,
    List<Operand> carried,
    int scans,
    LoopBody body) {
  /** A loop whose number of iterations is all that ends it. */
  static Loop counted(PrimExpr trips, List<Operand> carried, int scans, LoopBody body) {
    return new Loop(Optional.of(trips), Conditions.TRUE, true, carried, scans, body);
  }
}
