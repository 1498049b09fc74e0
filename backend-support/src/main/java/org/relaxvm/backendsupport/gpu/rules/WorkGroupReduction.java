package org.relaxvm.backendsupport.gpu.rules;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.relaxvm.backendsupport.gpu.ScheduleAnnotations;
import org.relaxvm.backendsupport.gpu.loops.WorkGroups;
import org.relaxvm.tir.analysis.LoopStage;
import org.relaxvm.tir.analysis.Reduction;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.MemoryScope;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.Substitution;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.Let;
import org.relaxvm.tir.stmt.Seq;
import org.relaxvm.tir.stmt.Stmt;

/**
 * A reduction by all work-items of a work-group: each reduces a part, then half of the parts take
 * in the other half, until one is left. Where the first of several values counts, parts are runs
 * that are adjacent, and stay in order.
 *
 * <p>A work-group reduces for one point of the parallel loops, or for neighbours along them: its
 * columns.
 */
final class WorkGroupReduction {
  private final LoopStage stage;
  private final Reduction reduction;
  private final int parts;
  private final int columns;
  private final Var workGroup;
  private final Substitution substitution;
  private final List<Buffer> results = new ArrayList<>();

  private WorkGroupReduction(
      LoopStage stage, Reduction reduction, int parts, int columns, Var workGroup) {
    this.stage = stage;
    this.reduction = reduction;
    this.parts = parts;
    this.columns = columns;
    this.workGroup = workGroup;
    this.substitution = new Substitution(stage.nest().point());
    for (Buffer buffer : reduction.buffers()) {
      results.add(
          Buffer.of(
              buffer.name() + "_parts",
              buffer.dtype(),
              List.of(IntImm.of((long) parts * columns)),
              MemoryScope.SHARED));
    }
  }

  /**
   * The phases that reduce one point of the parallel loops.
   *
   * @param items of a work-group, a power of two
   * @param shared gets the memory that they need
   * @return empty where this stage cannot be reduced in parts
   */
  static Optional<Stmt> of(LoopStage stage, int items, List<Buffer> shared) {
    return phases(stage, items, 1, Var.index("group"), shared);
  }

  /**
   * The phases that reduce neighbours along the parallel loops, counted along all of them.
   *
   * @param parts of each point, a power of two
   * @param columns neighbours of a work-group
   * @param workGroup the number of the work-group
   * @param shared gets the memory that they need
   * @return empty where this stage cannot be reduced in parts
   */
  static Optional<Stmt> ofColumns(
      LoopStage stage, int parts, int columns, Var workGroup, List<Buffer> shared) {
    return phases(stage, parts, columns, workGroup, shared);
  }

  private static Optional<Stmt> phases(
      LoopStage stage, int parts, int columns, Var workGroup, List<Buffer> shared) {
    Optional<Reduction> reduction = stage.reduction();
    if (reduction.isEmpty()) {
      return Optional.empty();
    }
    WorkGroupReduction made =
        new WorkGroupReduction(stage, reduction.get(), parts, columns, workGroup);
    Optional<Stmt> phases = made.phases();
    if (phases.isPresent()) {
      shared.addAll(made.results);
    }
    return phases;
  }

  private Optional<Stmt> phases() {
    Optional<LoopStage.Accumulation> accumulation = stage.accumulation();
    if (accumulation.isEmpty()) {
      return Optional.empty();
    }
    List<PrimExpr> outputs = accumulation.get().outputs();
    List<PrimExpr> start = accumulation.get().start();
    List<Stmt> phases = new ArrayList<>();
    phases.add(phase(item -> part(item, Exprs.floorDiv(item, columns))));
    phases.addAll(tree());
    phases.add(
        phase(
            item ->
                WorkGroups.guarded(
                    Exprs.lt(item, IntImm.of(columns)),
                    atPoint(item, result(item, start, outputs)))));
    return Optional.of(new Seq(phases));
  }

  /** Half of the parts take in the other half, until one is left. */
  private List<Stmt> tree() {
    List<Stmt> phases = new ArrayList<>();
    boolean ordered = reduction.choice().isPresent();
    for (int i = parts / 2; i > 0; i /= 2) {
      int left = i;
      phases.add(
          phase(
              item -> {
                PrimExpr part = Exprs.floorDiv(item, columns);
                PrimExpr column = Exprs.floorMod(item, columns);
                int step = ordered ? parts / left : 1;
                int distance = ordered ? parts / left / 2 : left;
                PrimExpr to = Exprs.add(Exprs.mul(part, (long) step * columns), column);
                return WorkGroups.guarded(
                    Exprs.lt(part, IntImm.of(left)), take(to, distance * columns));
              }));
    }
    if (columns > 1 || ordered || results.size() > 1 || phases.isEmpty()) {
      return phases;
    }
    Map<String, String> annotations =
        Map.of(ScheduleAnnotations.WORK_GROUP_REDUCTION, reduction.ops().getFirst().name());
    return List.of(WorkGroups.annotated(List.of(), annotations, Seq.of(phases)));
  }

  private Stmt phase(Function<Var, Stmt> body) {
    return WorkGroups.phase(parts * columns, body);
  }

  /** A statement at the point of a work-item's column, if there is one. */
  private Stmt atPoint(Var item, Stmt stmt) {
    if (columns == 1) {
      return stmt;
    }
    Var point = Var.index("point");
    return new Let(
        point,
        Exprs.add(Exprs.mul(workGroup, columns), Exprs.floorMod(item, columns)),
        WorkGroups.guarded(
            Exprs.lt(point, WorkGroups.extent(stage.parallel())),
            WorkGroups.at(stage.parallel(), point, stmt)));
  }

  /** Each work-item reduces its part in registers, and leaves the result for the others. */
  private Stmt part(Var item, PrimExpr part) {
    List<PrimExpr> first = reduction.identity();
    List<Buffer> accumulators = new ArrayList<>();
    List<PrimExpr> values = new ArrayList<>();
    List<Stmt> statements = new ArrayList<>();
    for (int i = 0; i < results.size(); i++) {
      Buffer sum = ItemRule.register(reduction.buffers().get(i));
      accumulators.add(sum);
      values.add(sum.load(IntImm.of(0)));
      statements.add(new BufferStore(sum, first.get(i), List.of(IntImm.of(0))));
    }
    List<PrimExpr> elements = reduction.elements().stream().map(substitution::rewrite).toList();
    Stmt update =
        ItemRule.together(accumulators, IntImm.of(0), reduction.combine(values, elements));
    PrimExpr total = WorkGroups.extent(stage.serial());
    PrimExpr each = WorkGroups.parts(total, parts);
    Var iteration = Var.index("turn");
    Var k = Var.index("k");
    PrimExpr index =
        reduction.choice().isPresent()
            ? Exprs.add(Exprs.mul(part, each), iteration)
            : Exprs.add(Exprs.mul(iteration, parts), part);
    Stmt loop =
        For.serial(
            iteration,
            each,
            new Let(
                k,
                index,
                WorkGroups.guarded(Exprs.lt(k, total), WorkGroups.at(stage.serial(), k, update))));
    statements.add(atPoint(item, loop));
    for (int i = 0; i < results.size(); i++) {
      statements.add(new BufferStore(results.get(i), values.get(i), List.of(item)));
    }
    return WorkGroups.memory(accumulators, new Seq(statements));
  }

  /** One part takes another one in. */
  private Stmt take(PrimExpr to, int distance) {
    List<PrimExpr> own = new ArrayList<>();
    List<PrimExpr> other = new ArrayList<>();
    for (Buffer result : results) {
      own.add(result.load(to));
      other.add(result.load(Exprs.add(to, distance)));
    }
    return ItemRule.together(results, to, reduction.combine(own, other));
  }

  private Stmt result(Var item, List<PrimExpr> start, List<PrimExpr> outputs) {
    PrimExpr index = columns == 1 ? IntImm.of(0) : item;
    List<PrimExpr> reduced = results.stream().map(result -> result.load(index)).toList();
    List<PrimExpr> values = reduction.combine(start, reduced);
    List<Var> names = new ArrayList<>();
    List<Stmt> stores = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      Var name = new Var("result", values.get(i).dtype());
      BufferLoad output = (BufferLoad) outputs.get(i);
      names.add(name);
      stores.add(new BufferStore(output.buffer(), name, output.indices()));
    }
    Stmt stmt = Seq.of(stores);
    for (int i = values.size() - 1; i >= 0; i--) {
      stmt = new Let(names.get(i), values.get(i), stmt);
    }
    return stmt;
  }
}
