package org.relaxvm.tir.verify;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BufferRegion;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.PackedArg;
import org.relaxvm.tir.stmt.Range;
import org.relaxvm.tir.stmt.Stmt;

/**
 * A block that says what it reads or writes works on nothing else. What is not surely outside of
 * the regions passes, and so does a block that says nothing at all.
 *
 * <p>Rationale: docs/rationale/tir.md, "Why are declared regions rejected only when they are
 * provably wrong?"
 */
final class DeclaredRegions extends KnownValues {
  private final String kernel;
  private final List<Open> open = new ArrayList<>();

  DeclaredRegions(String kernel) {
    this.kernel = kernel;
  }

  /** A block around the visited statement, with memory that is made in it. */
  private record Open(Block block, Set<Buffer> own) {}

  @Override
  void visitBody(Block block) {
    if (block.reads().isEmpty() && block.writes().isEmpty()) {
      super.visitBody(block);
      return;
    }
    open.add(new Open(block, Collections.newSetFromMap(new IdentityHashMap<>())));
    super.visitBody(block);
    open.removeLast();
  }

  @Override
  public void visitBufferDefinition(Buffer buffer) {
    open.forEach(around -> around.own().add(buffer));
    super.visitBufferDefinition(buffer);
  }

  @Override
  public void visit(PrimExpr expr) {
    super.visit(expr);
    if (expr instanceof BufferLoad load) {
      for (Open around : open) {
        List<BufferRegion> regions = new ArrayList<>(around.block().reads());
        if (around.block().init().isPresent()) {
          // What is written so far comes from the block itself.
          regions.addAll(around.block().writes());
        }
        require(around, load.buffer(), load.indices(), regions, "read");
      }
    }
  }

  @Override
  void check(Stmt stmt) {
    super.check(stmt);
    if (stmt instanceof BufferStore store) {
      for (Open around : open) {
        require(around, store.buffer(), store.indices(), around.block().writes(), "write");
      }
    }
  }

  @Override
  public void visit(PackedArg arg) {
    super.visit(arg);
    if (arg instanceof PackedArg.OfBuffer(Buffer buffer)) {
      for (Open around : open) {
        List<BufferRegion> regions = new ArrayList<>(around.block().reads());
        regions.addAll(around.block().writes());
        require(around, buffer, List.of(), regions, "read or write");
      }
    }
  }

  private void require(
      Open around, Buffer buffer, List<PrimExpr> indices, List<BufferRegion> regions, String verb) {
    if (around.own().contains(buffer)) {
      return;
    }
    List<BufferRegion> ofBuffer =
        regions.stream().filter(region -> region.buffer().equals(buffer)).toList();
    if (ofBuffer.isEmpty()) {
      throw Verifier.invalid(
          kernel,
          "the block "
              + around.block().name()
              + " does not say that it may "
              + verb
              + " "
              + buffer
              + "\n  what it says that it may "
              + verb
              + ": "
              + names(regions));
    }
    if (ofBuffer.stream().allMatch(region -> misses(region, indices))) {
      throw Verifier.invalid(
          kernel,
          "the block "
              + around.block().name()
              + " does not say that it may "
              + verb
              + " "
              + buffer
              + " where it does: all of the regions that it names are elsewhere");
    }
  }

  private static String names(List<BufferRegion> regions) {
    List<String> names = regions.stream().map(region -> region.buffer().name()).distinct().toList();
    return names.isEmpty() ? "nothing" : String.join(", ", names);
  }

  /** Whether an element is surely not in a region. */
  private boolean misses(BufferRegion region, List<PrimExpr> indices) {
    for (int axis = 0; axis < indices.size(); axis++) {
      Range range = region.ranges().get(axis);
      PrimExpr index = indices.get(axis);
      if (range.min().equals(index) || isWhole(range, region.buffer().shape().get(axis))) {
        continue;
      }
      PrimExpr end = Exprs.add(range.min(), range.extent());
      if (analyzer.canProve(Exprs.lt(index, range.min()))
          || analyzer.canProve(Exprs.le(end, index))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isWhole(Range range, PrimExpr extent) {
    return range.min().equals(IntImm.of(0)) && range.extent().equals(extent);
  }
}
