package org.relaxvm.tir.analysis;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.relaxvm.tir.analysis.LoopStage.Accumulation;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.rewrite.Substitution;
import org.relaxvm.tir.stmt.For;

/**
 * A sum of products: a matmul, a batch of them, or a convolution, one operand of which is an
 * expression of image coordinates. Immutable and thread-safe.
 *
 * @param stage the reduction
 * @param output the element that is computed at a point of the parallel loops, in terms of their
 *     loop variables
 * @param start the initial value of the accumulator
 * @param rowValue the operand that depends on the rows
 * @param columnValue the operand that depends on the columns
 * @param batch loops on which both operands depend, or neither
 * @param rows loops on which only the first operand depends; none for a vector
 * @param columns loops on which only the second one depends; the innermost parallel loop is among
 *     them where possible, so that adjacent iterations write adjacent elements
 */
public record Contraction(
    LoopStage stage,
    BufferLoad output,
    PrimExpr start,
    PrimExpr rowValue,
    PrimExpr columnValue,
    List<For> batch,
    List<For> rows,
    List<For> columns) {
  /** Copies the lists. */
  public Contraction {
    batch = List.copyOf(batch);
    rows = List.copyOf(rows);
    columns = List.copyOf(columns);
  }

  /** See {@link LoopStage#contraction()}. */
  static Optional<Contraction> of(LoopStage stage) {
    Optional<Reduction> reduction = stage.reduction();
    Optional<Accumulation> accumulation = stage.accumulation();
    if (reduction.isEmpty()
        || accumulation.isEmpty()
        || !reduction.get().ops().equals(List.of(BinaryOp.ADD))
        || !(reduction.get().elements().getFirst() instanceof Binary product)
        || product.op() != BinaryOp.MUL) {
      return Optional.empty();
    }
    Substitution atPoint = new Substitution(stage.nest().point());
    PrimExpr a = atPoint.rewrite(product.a());
    PrimExpr b = atPoint.rewrite(product.b());
    List<For> batch = new ArrayList<>();
    List<For> rows = new ArrayList<>();
    List<For> columns = new ArrayList<>();
    for (For loop : stage.parallel()) {
      boolean inA = Nest.uses(a, loop.loopVar());
      boolean inB = Nest.uses(b, loop.loopVar());
      (inA == inB ? batch : inA ? rows : columns).add(loop);
    }
    if (rows.isEmpty() && columns.isEmpty()) {
      return Optional.empty();
    }
    boolean swapped = columns.isEmpty() || rows.contains(stage.parallel().getLast());
    return Optional.of(
        new Contraction(
            stage,
            (BufferLoad) accumulation.get().outputs().getFirst(),
            accumulation.get().start().getFirst(),
            swapped ? b : a,
            swapped ? a : b,
            batch,
            swapped ? columns : rows,
            swapped ? rows : columns));
  }
}
