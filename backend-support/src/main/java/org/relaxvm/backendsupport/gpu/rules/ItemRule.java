package org.relaxvm.backendsupport.gpu.rules;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.relaxvm.backendsupport.gpu.loops.BlockLowering;
import org.relaxvm.backendsupport.gpu.loops.WorkGroups;
import org.relaxvm.tir.analysis.LoopStage;
import org.relaxvm.tir.analysis.Reduction;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.MemoryScope;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.Substitution;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.ForKind;
import org.relaxvm.tir.stmt.Let;
import org.relaxvm.tir.stmt.Seq;
import org.relaxvm.tir.stmt.Stmt;

/**
 * A work-item for each point of the loops that are independent; it runs the others one after the
 * other.
 */
final class ItemRule {
  private ItemRule() {}

  /**
   * The launch of a stage.
   *
   * @param allocated gets buffers that blocks inside need
   */
  static Stmt of(LoopStage stage, int workGroupSize, List<Buffer> allocated) {
    return WorkGroups.items(
        stage.parallel(), workGroupSize, BlockLowering.of(body(stage), allocated));
  }

  /** What a work-item does at one point of the parallel loops. */
  static Stmt body(LoopStage stage) {
    return stage
        .reduction()
        .flatMap(reduction -> accumulated(stage, reduction))
        .orElseGet(() -> loops(stage.serial(), stage.nest().realize()));
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
              ForKind.SERIAL,
              Optional.empty(),
              stmt,
              Map.of());
    }
    return stmt;
  }

  /** The values so far are kept in registers. */
  private static Optional<Stmt> accumulated(LoopStage stage, Reduction reduction) {
    Substitution substitution = new Substitution(stage.nest().point());
    Optional<LoopStage.Accumulation> accumulation = stage.accumulation();
    if (accumulation.isEmpty()) {
      return Optional.empty();
    }
    List<PrimExpr> outputs = accumulation.get().outputs();
    List<PrimExpr> start = accumulation.get().start();
    List<Buffer> accumulators = new ArrayList<>();
    List<PrimExpr> values = new ArrayList<>();
    for (Buffer buffer : reduction.buffers()) {
      Buffer sum = register(buffer);
      accumulators.add(sum);
      values.add(sum.load(IntImm.of(0)));
    }
    List<PrimExpr> elements = reduction.elements().stream().map(substitution::rewrite).toList();
    List<Stmt> statements = new ArrayList<>(stores(accumulators, IntImm.of(0), start));
    statements.add(
        loops(
            stage.serial(),
            together(accumulators, IntImm.of(0), reduction.combine(values, elements))));
    for (int i = 0; i < accumulators.size(); i++) {
      BufferLoad output = (BufferLoad) outputs.get(i);
      statements.add(new BufferStore(output.buffer(), values.get(i), output.indices()));
    }
    return Optional.of(WorkGroups.memory(accumulators, new Seq(statements)));
  }

  /** A register for a value of a buffer. */
  static Buffer register(Buffer buffer) {
    return Buffer.of(
        buffer.name() + "_acc", buffer.dtype(), List.of(IntImm.of(1)), MemoryScope.LOCAL);
  }

  /** The elements that an expression reads, without those that their indices are looked up in. */
  static List<BufferLoad> loads(PrimExpr expr) {
    List<BufferLoad> loads = new ArrayList<>();
    if (expr instanceof BufferLoad load) {
      loads.add(load);
    } else {
      expr.operands().forEach(operand -> loads.addAll(loads(operand)));
    }
    return loads;
  }

  private static List<Stmt> stores(
      List<Buffer> buffers, PrimExpr index, List<? extends PrimExpr> values) {
    List<Stmt> stores = new ArrayList<>();
    for (int i = 0; i < buffers.size(); i++) {
      stores.add(new BufferStore(buffers.get(i), values.get(i), List.of(index)));
    }
    return stores;
  }

  /** Stores at one index of values that are all computed before the first one is stored. */
  static Stmt together(List<Buffer> buffers, PrimExpr index, List<PrimExpr> values) {
    if (buffers.size() == 1) {
      return Seq.of(stores(buffers, index, values));
    }
    List<Var> names = new ArrayList<>();
    for (PrimExpr value : values) {
      names.add(new Var("next", value.dtype()));
    }
    Stmt stmt = Seq.of(stores(buffers, index, names));
    for (int i = values.size() - 1; i >= 0; i--) {
      stmt = new Let(names.get(i), values.get(i), stmt);
    }
    return stmt;
  }
}
