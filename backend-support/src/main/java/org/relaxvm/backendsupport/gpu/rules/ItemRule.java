package org.relaxvm.backendsupport.gpu.rules;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
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
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BlockRealize;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.Seq;
import org.relaxvm.tir.stmt.Stmt;

/** A work-item for each point of the loops that are independent; it runs the others in turn. */
final class ItemRule {
  private ItemRule() {}

  /**
   * The launch of a stage.
   *
   * @param allocated gets buffers that blocks inside need
   */
  static Stmt of(Stage stage, int groupSize, List<Buffer> allocated) {
    Stmt body =
        stage
            .reduction()
            .flatMap(reduction -> accumulated(stage, reduction))
            .orElseGet(() -> loops(stage.serial(), stage.nest().realize()));
    return Groups.items(stage.parallel(), groupSize, Plain.of(body, allocated));
  }

  /** A statement in loops. */
  static Stmt loops(List<For> loops, Stmt body) {
    Stmt stmt = body;
    for (For loop : loops.reversed()) {
      stmt =
          new For(
              loop.loopVar(),
              loop.min(),
              loop.extent(),
              org.relaxvm.tir.stmt.ForKind.SERIAL,
              Optional.empty(),
              stmt,
              Map.of());
    }
    return stmt;
  }

  /** The values so far are kept in registers. */
  private static Optional<Stmt> accumulated(Stage stage, Reduction reduction) {
    BlockRealize realize = stage.nest().realize();
    Substitution place = new Substitution(Plain.point(realize));
    List<PrimExpr> outputs = new ArrayList<>();
    for (Buffer buffer : reduction.buffers()) {
      outputs.add(place.rewrite(new BufferLoad(buffer, reduction.indices())));
    }
    if (outputs.stream().anyMatch(output -> movesWith(output, stage.serial()))) {
      return Optional.empty();
    }
    Optional<List<PrimExpr>> start = start(realize.block(), reduction, outputs, place);
    if (start.isEmpty()) {
      return Optional.empty();
    }
    List<Buffer> sums = new ArrayList<>();
    List<PrimExpr> values = new ArrayList<>();
    for (Buffer buffer : reduction.buffers()) {
      Buffer sum =
          Buffer.of(
              buffer.name() + "_acc", buffer.dtype(), List.of(IntImm.of(1)), MemoryScope.LOCAL);
      sums.add(sum);
      values.add(sum.load(IntImm.of(0)));
    }
    List<PrimExpr> elements = reduction.elements().stream().map(place::rewrite).toList();
    List<Stmt> statements = new ArrayList<>(stores(sums, start.get()));
    statements.add(
        loops(stage.serial(), Seq.of(together(sums, reduction.combine(values, elements)))));
    for (int i = 0; i < sums.size(); i++) {
      BufferLoad output = (BufferLoad) outputs.get(i);
      statements.add(new BufferStore(output.buffer(), values.get(i), output.indices()));
    }
    Block block =
        new Block(
            "accumulate",
            List.of(),
            List.of(),
            List.of(),
            sums,
            Optional.empty(),
            new Seq(statements),
            Map.of());
    PrimExpr some = IntImm.of(true);
    for (For loop : stage.serial()) {
      some = Exprs.and(some, Exprs.lt(IntImm.of(0), loop.extent()));
    }
    return Optional.of(Plain.guarded(some, BlockRealize.always(block, List.of())));
  }

  private static boolean movesWith(PrimExpr expr, List<For> loops) {
    return loops.stream().anyMatch(l -> org.relaxvm.tir.stage.Nest.uses(expr, l.loopVar()));
  }

  /** The values before the first turn: what the block starts with, else what is there. */
  static Optional<List<PrimExpr>> start(
      Block block, Reduction reduction, List<PrimExpr> outputs, Substitution place) {
    if (block.init().isEmpty()) {
      return Optional.of(outputs);
    }
    Map<Buffer, PrimExpr> values = new IdentityHashMap<>();
    Stmt init = block.init().get();
    for (Stmt each : init instanceof Seq seq ? seq.statements() : List.of(init)) {
      if (!(each instanceof BufferStore store)
          || !store.indices().equals(reduction.indices())
          || !isConstant(store.value())) {
        return Optional.empty();
      }
      values.put(store.buffer(), place.rewrite(store.value()));
    }
    List<PrimExpr> start = new ArrayList<>();
    for (Buffer buffer : reduction.buffers()) {
      PrimExpr value = values.get(buffer);
      if (value == null) {
        return Optional.empty();
      }
      start.add(value);
    }
    return Optional.of(start);
  }

  private static boolean isConstant(PrimExpr value) {
    return !(value instanceof BufferLoad)
        && value.operands().stream().allMatch(ItemRule::isConstant);
  }

  private static List<Stmt> stores(List<Buffer> buffers, List<PrimExpr> values) {
    List<Stmt> stores = new ArrayList<>();
    for (int i = 0; i < buffers.size(); i++) {
      stores.add(new BufferStore(buffers.get(i), values.get(i), List.of(IntImm.of(0))));
    }
    return stores;
  }

  /** Stores of values that are all computed before the first one is stored. */
  private static List<Stmt> together(List<Buffer> buffers, List<PrimExpr> values) {
    if (buffers.size() == 1) {
      return stores(buffers, values);
    }
    List<Var> names = new ArrayList<>();
    for (PrimExpr value : values) {
      names.add(new Var("next", value.dtype()));
    }
    Stmt stmt = Seq.of(stores(buffers, List.copyOf(names)));
    for (int i = values.size() - 1; i >= 0; i--) {
      stmt = new org.relaxvm.tir.stmt.Let(names.get(i), values.get(i), stmt);
    }
    return List.of(stmt);
  }
}
