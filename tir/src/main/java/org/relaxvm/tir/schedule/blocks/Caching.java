package org.relaxvm.tir.schedule.blocks;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.analysis.BlockRegions;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.MemoryScope;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.IrMutator;
import org.relaxvm.tir.schedule.nest.Replacement;
import org.relaxvm.tir.schedule.nest.StmtPath;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BlockRealize;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.IterKind;
import org.relaxvm.tir.stmt.IterVar;
import org.relaxvm.tir.stmt.Range;
import org.relaxvm.tir.stmt.Seq;
import org.relaxvm.tir.stmt.Stmt;

/** Lets a block work on a copy of a buffer that lies elsewhere. */
public final class Caching extends IrMutator {
  private final BlockRealize user;
  private final Buffer buffer;
  private final Buffer copy;
  private final boolean reads;

  private Caching(BlockRealize user, Buffer buffer, Buffer copy, boolean reads) {
    this.user = user;
    this.buffer = buffer;
    this.copy = copy;
    this.reads = reads;
  }

  /**
   * The kernel with a copy.
   *
   * @param path of the block
   * @param reads whether the block reads the copy, which is made in front of it; otherwise it
   *     writes it, and it is copied back after it
   */
  public static PrimFunc of(
      PrimFunc function,
      StmtPath path,
      Buffer buffer,
      MemoryScope scope,
      String name,
      boolean reads) {
    BlockRealize user = (BlockRealize) path.stmt();
    Stmt outermost = path.stage();
    Buffer copy = Buffer.of(name, buffer.dtype(), buffer.shape(), scope);
    Stmt using = new Caching(user, buffer, copy, reads).rewrite(outermost);
    Stmt copying = reads ? copy(name, buffer, copy) : copy(name + "_out", copy, buffer);
    Stmt both = new Seq(reads ? List.of(copying, using) : List.of(using, copying));
    Stmt body = Replacement.in(function.body(), outermost, both);
    return RootMemory.add(function.withBody(body), List.of(copy));
  }

  private static Stmt copy(String name, Buffer from, Buffer to) {
    List<IterVar> axes = new ArrayList<>();
    List<Var> counters = new ArrayList<>();
    for (int i = 0; i < from.rank(); i++) {
      counters.add(Var.index("ax" + i));
      Range domain = new Range(IntImm.of(0), from.shape().get(i));
      axes.add(new IterVar(Var.index("v" + i), domain, IterKind.SPATIAL));
    }
    List<PrimExpr> point = axes.stream().<PrimExpr>map(IterVar::var).toList();
    Stmt store = new BufferStore(to, from.load(point), point);
    Block block = BlockRegions.block(name, axes, Optional.empty(), store);
    Stmt body = BlockRealize.always(block, counters);
    for (int i = counters.size() - 1; i >= 0; i--) {
      body = For.serial(counters.get(i), from.shape().get(i), body);
    }
    return body;
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // that very block
  public Stmt rewrite(Stmt stmt) {
    if (stmt == user) {
      Block changed = new Inside().rewrite(user.block());
      return new BlockRealize(user.iterValues(), user.predicate(), changed);
    }
    return super.rewrite(stmt);
  }

  /** The block itself: here the copy replaces the buffer. */
  private final class Inside extends IrMutator {
    @Override
    public Block rewrite(Block block) {
      return BlockRegions.renewed(super.rewrite(block));
    }

    @Override
    public PrimExpr rewrite(PrimExpr expr) {
      PrimExpr changed = super.rewrite(expr);
      // A block that updates its output reads the copy too.
      return changed instanceof BufferLoad load && load.buffer().equals(buffer)
          ? copy.load(load.indices())
          : changed;
    }

    @Override
    public Stmt rewrite(Stmt stmt) {
      Stmt changed = super.rewrite(stmt);
      return !reads && changed instanceof BufferStore store && store.buffer().equals(buffer)
          ? new BufferStore(copy, store.value(), store.indices())
          : changed;
    }
  }
}
