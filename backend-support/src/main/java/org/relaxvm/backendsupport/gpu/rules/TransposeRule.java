package org.relaxvm.backendsupport.gpu.rules;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.relaxvm.backendsupport.gpu.GpuLimits;
import org.relaxvm.backendsupport.gpu.loops.BlockLowering;
import org.relaxvm.backendsupport.gpu.loops.WorkGroups;
import org.relaxvm.tir.analysis.Access;
import org.relaxvm.tir.analysis.LoopStage;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.Call;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.MemoryScope;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.IrMutator;
import org.relaxvm.tir.rewrite.Substitution;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.Let;
import org.relaxvm.tir.stmt.Seq;
import org.relaxvm.tir.stmt.Stmt;
import org.relaxvm.tir.stmt.ThreadAxis;

/**
 * What is written along one axis and read along another: a work-group brings a square of the input
 * to its memory, neighbours by neighbours, and writes it transposed.
 */
final class TransposeRule {
  private static final int SIDE = 32;
  private static final int MOST_ITEMS = 256;

  private final GpuLimits limits;

  TransposeRule(GpuLimits limits) {
    this.limits = limits;
  }

  /** The launch of a stage. */
  Optional<Stmt> of(LoopStage stage) {
    int items = limits.workGroupSize(MOST_ITEMS);
    if (items < SIDE
        || !stage.serial().isEmpty()
        || stage.nest().isReduction()
        || !(BlockLowering.of(stage.nest().realize(), new ArrayList<>())
            instanceof BufferStore store)) {
      return Optional.empty();
    }
    for (BufferLoad load : always(store.value())) {
      Optional<Stmt> transposed = of(stage, store, load, items);
      if (transposed.isPresent()) {
        return transposed;
      }
    }
    return Optional.empty();
  }

  /** What is read at every point: what a choice reads may lie outside where it is not chosen. */
  private static List<BufferLoad> always(PrimExpr expr) {
    List<BufferLoad> loads = new ArrayList<>();
    if (expr instanceof BufferLoad load) {
      loads.add(load);
    } else if (!(expr instanceof Call call && call.op() == Intrinsic.IF_THEN_ELSE)) {
      expr.operands().forEach(operand -> loads.addAll(always(operand)));
    }
    return loads;
  }

  private Optional<Stmt> of(LoopStage stage, BufferStore store, BufferLoad load, int items) {
    Access write = new Access(store.buffer(), store.indices(), true);
    Access read = new Access(load.buffer(), load.indices(), false);
    For along = stage.parallel().isEmpty() ? null : stage.parallel().getLast();
    if (along == null
        || !write.isContiguous(along)
        || load.buffer().equals(store.buffer())
        || read.isContiguous(along)
        || read.isUniform(along)
        || read.step(along.loopVar()).isEmpty()) {
      return Optional.empty();
    }
    long bytes = (long) SIDE * (SIDE + 1) * GpuLimits.localBytes(load.dtype());
    for (For across : stage.parallel()) {
      if (read.isContiguous(across)
          && isMany(across)
          && isMany(along)
          && bytes <= limits.localMemoryBytes()) {
        return Optional.of(new Square(stage, store, load, along, across, items).launch());
      }
    }
    return Optional.empty();
  }

  private static boolean isMany(For loop) {
    return !(loop.extent() instanceof IntImm known) || known.value() >= SIDE / 2;
  }

  /** Makes the launch. */
  private static final class Square {
    private final LoopStage stage;
    private final BufferStore store;
    private final BufferLoad load;
    private final For along;
    private final For across;
    private final int items;
    private final Buffer square;
    private final Var alongWorkGroup = Var.index("along_group");
    private final Var acrossWorkGroup = Var.index("across_group");

    Square(LoopStage stage, BufferStore store, BufferLoad load, For along, For across, int items) {
      this.stage = stage;
      this.store = store;
      this.load = load;
      this.along = along;
      this.across = across;
      this.items = items;
      // A column more, so that a row and a column both lie in different banks.
      this.square =
          Buffer.of(
              "square",
              load.dtype(),
              List.of(IntImm.of(SIDE), IntImm.of(SIDE + 1)),
              MemoryScope.SHARED);
    }

    Stmt launch() {
      List<For> others = new ArrayList<>(stage.parallel());
      others.remove(along);
      others.remove(across);
      Stmt bring = phase(true);
      Stmt write = phase(false);
      Stmt body = WorkGroups.memory(List.of(square), new Seq(List.of(bring, write)));
      Var batch = Var.index("batch");
      body = new Substitution(WorkGroups.counters(others, batch)).rewrite(body);
      body =
          WorkGroups.grid(
              ThreadAxis.BLOCK_X, alongWorkGroup, WorkGroups.parts(along.extent(), SIDE), body);
      body =
          WorkGroups.grid(
              ThreadAxis.BLOCK_Y, acrossWorkGroup, WorkGroups.parts(across.extent(), SIDE), body);
      return WorkGroups.grid(ThreadAxis.BLOCK_Z, batch, WorkGroups.extent(others), body);
    }

    /** Each work-item does some elements of the square, beside those of its neighbours. */
    private Stmt phase(boolean brings) {
      return WorkGroups.phase(
          items,
          item -> {
            Var iteration = Var.index("turn");
            PrimExpr fast = Exprs.floorMod(item, SIDE);
            PrimExpr slow =
                Exprs.add(Exprs.mul(iteration, items / SIDE), Exprs.floorDiv(item, SIDE));
            PrimExpr inAlong = brings ? slow : fast;
            PrimExpr inAcross = brings ? fast : slow;
            Var a = Var.index("a");
            Var b = Var.index("b");
            Map<Var, PrimExpr> counters = new HashMap<>();
            counters.put(along.loopVar(), Exprs.add(along.min(), a));
            counters.put(across.loopVar(), Exprs.add(across.min(), b));
            List<PrimExpr> indices = List.of(inAlong, inAcross);
            Stmt work = brings ? new BufferStore(square, load, indices) : transposed(indices);
            Stmt body =
                WorkGroups.guarded(
                    Exprs.and(Exprs.lt(a, along.extent()), Exprs.lt(b, across.extent())),
                    new Substitution(counters).rewrite(work));
            body = new Let(b, Exprs.add(Exprs.mul(acrossWorkGroup, SIDE), inAcross), body);
            body = new Let(a, Exprs.add(Exprs.mul(alongWorkGroup, SIDE), inAlong), body);
            return For.serial(iteration, IntImm.of((long) SIDE * SIDE / items), body);
          });
    }

    private Stmt transposed(List<PrimExpr> indices) {
      return new IrMutator() {
        @Override
        public PrimExpr rewrite(PrimExpr expr) {
          return expr.equals(load) ? square.load(indices) : super.rewrite(expr);
        }
      }.rewrite(store);
    }
  }
}
