package org.relaxvm.tir.schedule.blocks;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.analysis.AccessRegions;
import org.relaxvm.tir.analysis.BlockRegions;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.IrMutator;
import org.relaxvm.tir.rewrite.IrVisitor;
import org.relaxvm.tir.rewrite.Substitution;
import org.relaxvm.tir.schedule.nest.Refusal;
import org.relaxvm.tir.schedule.nest.StmtPath;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BlockRealize;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.IterKind;
import org.relaxvm.tir.stmt.IterVar;
import org.relaxvm.tir.stmt.PackedArg;
import org.relaxvm.tir.stmt.Stmt;

/** Computes the elements of a buffer where they are used, and drops the buffer. */
public final class Inlining extends IrMutator {
  private final Buffer buffer;
  private final List<Var> axes;
  private final PrimExpr value;

  private Inlining(Buffer buffer, List<Var> axes, PrimExpr value) {
    this.buffer = buffer;
    this.axes = axes;
    this.value = value;
  }

  /**
   * The kernel without a block.
   *
   * @param path of the block
   */
  public static PrimFunc of(PrimFunc function, StmtPath path) {
    BlockRealize realize = (BlockRealize) path.stmt();
    Block block = realize.block();
    String what = "to inline the block " + block.name();
    BufferStore store = formula(realize, what);
    requireOnlyWriter(function, path, store.buffer(), what);
    List<Var> axes = store.indices().stream().map(Var.class::cast).toList();
    Stmt remaining = Removal.of(function.body(), realize, store.buffer());
    return function.withBody(new Inlining(store.buffer(), axes, store.value()).rewrite(remaining));
  }

  /** The one store of a block that computes each element once, from its own axes. */
  private static BufferStore formula(BlockRealize realize, String what) {
    Block block = realize.block();
    if (!(block.body() instanceof BufferStore store) || block.init().isPresent()) {
      throw Refusal.of(what, "it is more than one store");
    }
    if (!block.iterVars().stream().allMatch(axis -> axis.kind() == IterKind.SPATIAL)) {
      throw Refusal.of(what, "not all of its axes are spatial");
    }
    if (!realize.predicate().equals(IntImm.of(true))) {
      throw Refusal.of(what, "it does not run at all points");
    }
    Set<PrimExpr> axes = new HashSet<>(block.iterVars().stream().map(IterVar::var).toList());
    boolean plain =
        store.indices().size() == axes.size() && axes.equals(new HashSet<>(store.indices()));
    if (!plain) {
      throw Refusal.of(
          what, "the indices of " + store.buffer() + " are not its axes, each of them once");
    }
    if (AccessRegions.of(store).reads().stream()
        .anyMatch(region -> region.buffer().equals(store.buffer()))) {
      throw Refusal.of(what, "it reads " + store.buffer() + ", which it writes");
    }
    return store;
  }

  private static void requireOnlyWriter(
      PrimFunc function, StmtPath path, Buffer buffer, String what) {
    Block writer = ((BlockRealize) path.stmt()).block();
    Stmt stage = path.stage();
    if (function.buffers().contains(buffer)) {
      throw Refusal.of(what, buffer + " is a parameter of the kernel");
    }
    Set<Buffer> inputs = new HashSet<>();
    AccessRegions.of(writer.body()).reads().forEach(region -> inputs.add(region.buffer()));
    new IrVisitor() {
      // The loops around the block repeat: what precedes it also follows it.
      private boolean following;

      @Override
      @SuppressWarnings("ReferenceEquality") // that very statement
      public void visit(Stmt stmt) {
        following |= stmt == stage;
        super.visit(stmt);
        if (stmt instanceof BufferStore store) {
          if (store.buffer().equals(buffer) && !stmt.equals(writer.body())) {
            throw Refusal.of(what, "there is another store into " + buffer);
          }
          if (following && inputs.contains(store.buffer())) {
            throw Refusal.of(what, store.buffer() + ", which it reads, is written again after it");
          }
        }
      }

      @Override
      public void visit(PackedArg arg) {
        if (arg instanceof PackedArg.OfBuffer(Buffer passed)
            && (passed.equals(buffer) || (following && inputs.contains(passed)))) {
          throw Refusal.of(what, passed + " is passed to a packed function");
        }
      }
    }.visit(function.body());
  }

  @Override
  public PrimExpr rewrite(PrimExpr expr) {
    PrimExpr changed = super.rewrite(expr);
    if (!(changed instanceof BufferLoad load) || !load.buffer().equals(buffer)) {
      return changed;
    }
    Map<Var, PrimExpr> point = new HashMap<>();
    for (int i = 0; i < axes.size(); i++) {
      point.put(axes.get(i), load.indices().get(i));
    }
    return Substitution.in(value, point);
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // whether anything changed
  public Block rewrite(Block block) {
    Block changed = super.rewrite(block);
    if (changed != block) {
      Tensorization.requireOpen(block, "to inline what the block " + block.name() + " reads");
    }
    return changed == block ? block : BlockRegions.renewed(changed);
  }
}
