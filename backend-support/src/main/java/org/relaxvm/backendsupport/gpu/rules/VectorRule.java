package org.relaxvm.backendsupport.gpu.rules;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.relaxvm.backendsupport.gpu.GpuLimits;
import org.relaxvm.backendsupport.gpu.loops.BlockLowering;
import org.relaxvm.backendsupport.gpu.loops.WorkGroups;
import org.relaxvm.tir.analysis.LoopStage;
import org.relaxvm.tir.arith.Analyzer;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.Substitution;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.IfThenElse;
import org.relaxvm.tir.stmt.Let;
import org.relaxvm.tir.stmt.Stmt;

/**
 * Formulas whose operands and results are adjacent: a work-item for each vector of them, of as many
 * elements as the device wants to load at once. Neighbours have adjacent vectors.
 *
 * <p>Rationale: docs/rationale/backend-support.md, "Why are vectors used for loads and stores
 * only?"
 */
final class VectorRule {
  /** Rows of so many vectors may end in a part of one. */
  private static final long LONG = 8;

  private final GpuLimits limits;
  private final int workGroupSize;

  VectorRule(GpuLimits limits, int workGroupSize) {
    this.limits = limits;
    this.workGroupSize = workGroupSize;
  }

  /**
   * The launch of a stage.
   *
   * @param allocated gets buffers that blocks inside need
   */
  Optional<Stmt> of(LoopStage stage, List<Buffer> allocated) {
    if (!stage.serial().isEmpty()) {
      return Optional.empty();
    }
    Stmt body = BlockLowering.of(stage.nest().realize(), allocated);
    for (For loop : stage.parallel().reversed()) {
      Optional<VectorBody> vector = VectorBody.of(body, loop);
      if (vector.isPresent()) {
        return launch(stage.parallel(), loop, body, vector.get());
      }
    }
    return Optional.empty();
  }

  private Optional<Stmt> launch(List<For> loops, For loop, Stmt body, VectorBody vector) {
    List<For> rows = new ArrayList<>(loops);
    rows.remove(loop);
    List<For> run = new ArrayList<>(List.of(loop));
    while (!rows.isEmpty() && vector.isOneRun(rows.getLast(), run.getFirst())) {
      run.addFirst(rows.removeLast());
    }
    PrimExpr length = WorkGroups.extent(run);
    int most = limits.vectorBytes() / vector.elementBytes();
    for (int lanes = most; lanes > 1; lanes /= 2) {
      if (isWorthIt(WorkGroups.extent(loops), length, lanes)) {
        return Optional.of(launch(rows, run, body, vector, lanes));
      }
    }
    return Optional.empty();
  }

  /**
   * Whether vectors of so many elements leave enough work-items for all units of the device, and
   * little of a row over. Where extents are not known they are taken to be large: a launch of few
   * elements takes as long as it takes to start one, however many work-items it has.
   */
  private boolean isWorthIt(PrimExpr total, PrimExpr length, int lanes) {
    boolean few =
        total instanceof IntImm known
            && known.value() / lanes < (long) limits.computeUnits() * workGroupSize;
    boolean uneven =
        length instanceof IntImm known
            && known.value() % lanes != 0
            && known.value() < LONG * lanes;
    return !few && !uneven;
  }

  private Stmt launch(List<For> rows, List<For> run, Stmt body, VectorBody vector, int lanes) {
    Analyzer analyzer = new Analyzer();
    PrimExpr length = WorkGroups.extent(run);
    boolean even = analyzer.isMultipleOf(length, lanes);
    PrimExpr vectors =
        even ? analyzer.simplify(Exprs.floorDiv(length, lanes)) : WorkGroups.parts(length, lanes);
    Var first = Var.index("first");
    Function<PrimExpr, Substitution> at =
        iteration -> new Substitution(WorkGroups.counters(run, Exprs.add(first, iteration)));
    Stmt stmt = vector.iterations(lanes, at);
    if (!even) {
      PrimExpr whole = Exprs.le(Exprs.add(first, lanes), length);
      Var iteration = Var.index("turn");
      Stmt tail =
          For.serial(iteration, Exprs.sub(length, first), at.apply(iteration).rewrite(body));
      stmt = new IfThenElse(whole, stmt, Optional.of(tail));
    }
    Var number = Var.index("vector");
    List<For> loops = new ArrayList<>(rows);
    loops.add(For.serial(number, vectors, stmt));
    return WorkGroups.items(loops, workGroupSize, new Let(first, Exprs.mul(number, lanes), stmt));
  }
}
