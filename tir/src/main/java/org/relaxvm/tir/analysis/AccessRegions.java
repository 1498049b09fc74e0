package org.relaxvm.tir.analysis;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.IrVisitor;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BufferRegion;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.Let;
import org.relaxvm.tir.stmt.PackedArg;
import org.relaxvm.tir.stmt.Range;
import org.relaxvm.tir.stmt.Stmt;

/**
 * The regions that a statement reads and writes, in terms of the variables from outside: a point
 * where an index depends on those alone, and the whole axis where it depends on a loop inside or on
 * what is in memory. Each region is listed once. Buffers that blocks inside allocate are left out.
 */
public final class AccessRegions {
  private final Set<BufferRegion> reads = new LinkedHashSet<>();
  private final Set<BufferRegion> writes = new LinkedHashSet<>();
  private final Set<Buffer> own = Collections.newSetFromMap(new IdentityHashMap<>());

  private AccessRegions() {}

  /** The regions of statements that run one after the other. */
  public static AccessRegions of(Stmt... statements) {
    AccessRegions regions = new AccessRegions();
    Collector collector = regions.new Collector();
    for (Stmt stmt : statements) {
      collector.visit(stmt);
    }
    return regions;
  }

  /** The regions of a block, in terms of its axes, without its own memory. */
  public static AccessRegions of(Block block) {
    AccessRegions regions = new AccessRegions();
    Collector collector = regions.new Collector();
    regions.own.addAll(block.allocBuffers());
    block.init().ifPresent(collector::visit);
    collector.visit(block.body());
    return regions;
  }

  /** What is read, in the order of the text. */
  public List<BufferRegion> reads() {
    return without(reads);
  }

  /** What is written, in the order of the text. */
  public List<BufferRegion> writes() {
    return without(writes);
  }

  private List<BufferRegion> without(Set<BufferRegion> regions) {
    return regions.stream().filter(region -> !own.contains(region.buffer())).toList();
  }

  /** All of a buffer. */
  public static BufferRegion whole(Buffer buffer) {
    List<Range> ranges = new ArrayList<>();
    for (PrimExpr extent : buffer.shape()) {
      ranges.add(new Range(IntImm.of(0), extent));
    }
    return new BufferRegion(buffer, ranges);
  }

  private final class Collector extends IrVisitor {
    private final Set<Var> inside = new HashSet<>();

    @Override
    public void visit(PrimExpr expr) {
      super.visit(expr);
      if (expr instanceof BufferLoad load) {
        reads.add(region(load.buffer(), load.indices()));
      }
    }

    @Override
    public void visit(Stmt stmt) {
      switch (stmt) {
        case For loop -> inside.add(loop.loopVar());
        case Let let -> inside.add(let.var());
        default -> {}
      }
      super.visit(stmt);
      if (stmt instanceof BufferStore store) {
        writes.add(region(store.buffer(), store.indices()));
      }
    }

    @Override
    public void visit(Block block) {
      block.iterVars().forEach(axis -> inside.add(axis.var()));
      own.addAll(block.allocBuffers());
      block.init().ifPresent(this::visit);
      visit(block.body());
    }

    @Override
    public void visit(PackedArg arg) {
      super.visit(arg);
      if (arg instanceof PackedArg.OfBuffer(Buffer buffer)) {
        reads.add(whole(buffer));
        writes.add(whole(buffer));
      }
    }

    private BufferRegion region(Buffer buffer, List<PrimExpr> indices) {
      List<Range> ranges = new ArrayList<>();
      for (int axis = 0; axis < indices.size(); axis++) {
        PrimExpr index = indices.get(axis);
        ranges.add(
            isFixed(index)
                ? new Range(index, IntImm.of(1))
                : new Range(IntImm.of(0), buffer.shape().get(axis)));
      }
      return new BufferRegion(buffer, ranges);
    }

    private boolean isFixed(PrimExpr index) {
      return !(index instanceof BufferLoad)
          && !(index instanceof Var var && inside.contains(var))
          && index.operands().stream().allMatch(this::isFixed);
    }
  }
}
