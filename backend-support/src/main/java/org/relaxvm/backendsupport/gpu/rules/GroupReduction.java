package org.relaxvm.backendsupport.gpu.rules;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.MemoryScope;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.pattern.Reduction;
import org.relaxvm.tir.rewrite.Substitution;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.Let;
import org.relaxvm.tir.stmt.Seq;
import org.relaxvm.tir.stmt.Stmt;

/**
 * A reduction by all work-items of a group: each reduces a part, then half of them take the parts
 * of the other half, until one is left. Where the first of several values counts, parts are runs
 * that lie beside each other, and stay in order.
 */
final class GroupReduction {
  private final Stage stage;
  private final Reduction reduction;
  private final int items;
  private final Substitution place;
  private final List<Buffer> parts = new ArrayList<>();

  private GroupReduction(Stage stage, Reduction reduction, int items) {
    this.stage = stage;
    this.reduction = reduction;
    this.items = items;
    this.place = new Substitution(Plain.point(stage.nest().realize()));
    for (Buffer buffer : reduction.buffers()) {
      parts.add(
          Buffer.of(
              buffer.name() + "_parts",
              buffer.dtype(),
              List.of(IntImm.of(items)),
              MemoryScope.SHARED));
    }
  }

  /**
   * The phases that reduce one point of the parallel loops.
   *
   * @param items of a group, a power of two
   * @param shared gets the memory that they need
   * @return empty where this stage cannot be reduced in parts
   */
  static Optional<Stmt> of(Stage stage, int items, List<Buffer> shared) {
    Optional<Reduction> reduction = stage.reduction();
    if (reduction.isEmpty()) {
      return Optional.empty();
    }
    GroupReduction group = new GroupReduction(stage, reduction.get(), items);
    Optional<Stmt> phases = group.phases();
    if (phases.isPresent()) {
      shared.addAll(group.parts);
    }
    return phases;
  }

  private Optional<Stmt> phases() {
    List<PrimExpr> outputs = new ArrayList<>();
    for (Buffer buffer : reduction.buffers()) {
      outputs.add(place.rewrite(new BufferLoad(buffer, reduction.indices())));
    }
    if (outputs.stream().anyMatch(output -> ItemRule.movesWith(output, stage.serial()))) {
      return Optional.empty();
    }
    Optional<List<PrimExpr>> start =
        ItemRule.start(stage.nest().block(), reduction, outputs, place);
    if (start.isEmpty()) {
      return Optional.empty();
    }
    List<Stmt> phases = new ArrayList<>();
    phases.add(Groups.phase(items, this::part));
    boolean ordered = reduction.choice().isPresent();
    for (int i = items / 2; i > 0; i /= 2) {
      int left = i;
      phases.add(
          Groups.phase(
              items,
              item ->
                  Plain.guarded(
                      Exprs.lt(item, IntImm.of(left)),
                      ordered
                          ? take(Exprs.mul(item, items / left), items / left / 2)
                          : take(item, left))));
    }
    phases.add(
        Groups.phase(
            items,
            item -> Plain.guarded(Exprs.eq(item, IntImm.of(0)), result(start.get(), outputs))));
    return Optional.of(new Seq(phases));
  }

  /** Each work-item reduces its part in registers, and leaves the result for the others. */
  private Stmt part(Var item) {
    List<PrimExpr> first = reduction.identity();
    List<Buffer> sums = new ArrayList<>();
    List<PrimExpr> values = new ArrayList<>();
    List<Stmt> statements = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      Buffer sum = ItemRule.register(reduction.buffers().get(i));
      sums.add(sum);
      values.add(sum.load(IntImm.of(0)));
      statements.add(new BufferStore(sum, first.get(i), List.of(IntImm.of(0))));
    }
    List<PrimExpr> elements = reduction.elements().stream().map(place::rewrite).toList();
    Stmt update = ItemRule.together(sums, IntImm.of(0), reduction.combine(values, elements));
    PrimExpr total = Groups.turns(stage.serial());
    PrimExpr each = Groups.parts(total, items);
    Var turn = Var.index("turn");
    Var k = Var.index("k");
    PrimExpr index =
        reduction.choice().isPresent()
            ? Exprs.add(Exprs.mul(item, each), turn)
            : Exprs.add(Exprs.mul(turn, items), item);
    Stmt turns =
        For.serial(
            turn,
            each,
            new Let(
                k, index, Plain.guarded(Exprs.lt(k, total), Groups.at(stage.serial(), k, update))));
    statements.add(turns);
    for (int i = 0; i < parts.size(); i++) {
      statements.add(new BufferStore(parts.get(i), values.get(i), List.of(item)));
    }
    return ItemRule.memory(sums, new Seq(statements));
  }

  /** One part takes another one in. */
  private Stmt take(PrimExpr to, int distance) {
    List<PrimExpr> own = new ArrayList<>();
    List<PrimExpr> other = new ArrayList<>();
    for (Buffer part : parts) {
      own.add(part.load(to));
      other.add(part.load(Exprs.add(to, distance)));
    }
    return ItemRule.together(parts, to, reduction.combine(own, other));
  }

  private Stmt result(List<PrimExpr> start, List<PrimExpr> outputs) {
    List<PrimExpr> reduced = parts.stream().map(part -> part.load(IntImm.of(0))).toList();
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
