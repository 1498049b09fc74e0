package org.relaxvm.backendsupport.gpu.rules;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.relaxvm.backendsupport.gpu.analysis.Stage;
import org.relaxvm.tir.analysis.Nest;
import org.relaxvm.tir.analysis.Reduction;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.rewrite.Substitution;
import org.relaxvm.tir.stmt.For;

/**
 * A sum of products: of matrices, of batches of them, and convolutions, whose one operand is a
 * formula of image coordinates.
 *
 * @param stage the sum
 * @param output the element that a point of the parallel loops gives, in terms of their counters
 * @param start the value that the sum is added to
 * @param rowValue the operand that moves along the rows
 * @param columnValue the operand that moves along the columns
 * @param batch loops along which both operands move, or none does
 * @param rows loops along which only the first operand moves; none for a vector
 * @param columns loops along which only the second one moves; the output's neighbours in memory are
 *     among them, if that can be
 */
record Contraction(
    Stage stage,
    BufferLoad output,
    PrimExpr start,
    PrimExpr rowValue,
    PrimExpr columnValue,
    List<For> batch,
    List<For> rows,
    List<For> columns) {
  /** Copies the lists. */
  Contraction {
    batch = List.copyOf(batch);
    rows = List.copyOf(rows);
    columns = List.copyOf(columns);
  }

  /** The sum of products that a stage is, if it is one with columns. */
  static Optional<Contraction> of(Stage stage) {
    Optional<Reduction> reduction = stage.reduction();
    if (reduction.isEmpty()
        || !reduction.get().ops().equals(List.of(BinaryOp.ADD))
        || !(reduction.get().elements().getFirst() instanceof Binary product)
        || product.op() != BinaryOp.MUL) {
      return Optional.empty();
    }
    Substitution place = new Substitution(Plain.point(stage.nest().realize()));
    PrimExpr a = place.rewrite(product.a());
    PrimExpr b = place.rewrite(product.b());
    PrimExpr output =
        place.rewrite(
            new BufferLoad(reduction.get().buffers().getFirst(), reduction.get().indices()));
    Optional<List<PrimExpr>> start =
        ItemRule.start(stage.nest().block(), reduction.get(), List.of(output), place);
    if (start.isEmpty() || ItemRule.movesWith(output, stage.serial())) {
      return Optional.empty();
    }
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
    // Work-items that are neighbours write neighbours.
    boolean turned = columns.isEmpty() || rows.contains(stage.parallel().getLast());
    return Optional.of(
        new Contraction(
            stage,
            (BufferLoad) output,
            start.get().getFirst(),
            turned ? b : a,
            turned ? a : b,
            batch,
            turned ? columns : rows,
            turned ? rows : columns));
  }
}
