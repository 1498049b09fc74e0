package org.relaxvm.backendsupport.gpu.rules;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.relaxvm.backendsupport.gpu.loops.WorkGroups;
import org.relaxvm.tir.analysis.Access;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.Substitution;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.Let;
import org.relaxvm.tir.stmt.Stmt;

/**
 * A slice of an operand of a sum of products, which a work-group brings to its memory. Outside of
 * the operand there are zeros.
 *
 * @param tile where it goes: {@code [depth, width]}, or one axis for both
 * @param depth of the slice
 * @param width of the slice
 * @param value an element of the operand
 * @param along loops that the operand moves along
 * @param from where the slice starts along them
 * @param summed loops that are summed over
 * @param summedFrom where the slice starts along those
 */
record OperandTile(
    Buffer tile,
    int depth,
    int width,
    PrimExpr value,
    List<For> along,
    PrimExpr from,
    List<For> summed,
    PrimExpr summedFrom) {
  /** Copies the lists. */
  OperandTile {
    along = List.copyOf(along);
    summed = List.copyOf(summed);
  }

  /** Work-items bring elements, neighbours in memory by neighbours. */
  Stmt bring(Var item, int items) {
    boolean alongDepth = isContiguous(summed.getLast());
    Var iteration = Var.index("turn");
    Var element = Var.index("element");
    Var at = Var.index("at");
    Var k = Var.index("k");
    PrimExpr inDepth = alongDepth ? Exprs.floorMod(element, depth) : Exprs.floorDiv(element, width);
    PrimExpr inWidth = alongDepth ? Exprs.floorDiv(element, depth) : Exprs.floorMod(element, width);
    Map<Var, PrimExpr> counters = new HashMap<>(WorkGroups.counters(along, at));
    counters.putAll(WorkGroups.counters(summed, k));
    PrimExpr inside =
        Exprs.and(Exprs.lt(at, WorkGroups.extent(along)), Exprs.lt(k, WorkGroups.extent(summed)));
    PrimExpr brought =
        Exprs.ifThenElse(inside, Substitution.in(value, counters), Exprs.constant(tile.dtype(), 0));
    Stmt body = new BufferStore(tile, brought, indices(inDepth, inWidth));
    body = new Let(k, Exprs.add(summedFrom, inDepth), body);
    body = new Let(at, Exprs.add(from, inWidth), body);
    body = new Let(element, Exprs.add(Exprs.mul(iteration, items), item), body);
    int elements = width * depth;
    if (elements % items != 0) {
      throw new IllegalStateException("a slice must divide among work-items");
    }
    return For.serial(iteration, IntImm.of(elements / items), body);
  }

  /** An element of the slice. */
  PrimExpr at(PrimExpr inDepth, PrimExpr inWidth) {
    return tile.load(indices(inDepth, inWidth));
  }

  private List<PrimExpr> indices(PrimExpr inDepth, PrimExpr inWidth) {
    return tile.rank() == 2
        ? List.of(inDepth, inWidth)
        : List.of(Exprs.add(Exprs.mul(inDepth, width), inWidth));
  }

  private boolean isContiguous(For loop) {
    return ItemRule.loads(value).stream()
        .anyMatch(load -> new Access(load.buffer(), load.indices(), false).isContiguous(loop));
  }
}
