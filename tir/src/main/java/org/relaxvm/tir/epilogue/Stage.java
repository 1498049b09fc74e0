package org.relaxvm.tir.epilogue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.analysis.AccessRegions;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.rewrite.IrVisitor;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BlockRealize;
import org.relaxvm.tir.stmt.IterKind;
import org.relaxvm.tir.stmt.Seq;
import org.relaxvm.tir.stmt.Stmt;

/**
 * One of the statements that a kernel consists of, such as the loops around a block. Immutable and
 * thread-safe.
 */
public final class Stage {
  private final Stmt stmt;
  private final List<Block> blocks = new ArrayList<>();
  private final Set<Buffer> reads = new LinkedHashSet<>();
  private final Set<Buffer> writes = new LinkedHashSet<>();

  private Stage(Stmt stmt) {
    this.stmt = stmt;
    new IrVisitor() {
      @Override
      public void visit(Block block) {
        blocks.add(block);
        super.visit(block);
      }
    }.visit(stmt);
    AccessRegions regions = AccessRegions.of(stmt);
    regions.reads().forEach(region -> reads.add(region.buffer()));
    regions.writes().forEach(region -> writes.add(region.buffer()));
  }

  /** The stages of a kernel in order; of one whose body is no block root, one stage for all. */
  public static List<Stage> of(PrimFunc kernel) {
    Stmt body =
        kernel.body() instanceof BlockRealize root && root.block().name().equals(Block.ROOT)
            ? root.block().body()
            : kernel.body();
    List<Stmt> statements = body instanceof Seq(List<Stmt> parts) ? parts : List.of(body);
    return statements.stream().map(Stage::new).toList();
  }

  /** The statement. */
  public Stmt stmt() {
    return stmt;
  }

  /** The names of the blocks in it. */
  public List<String> blocks() {
    return blocks.stream().map(Block::name).toList();
  }

  /** Whether it reads a buffer. */
  public boolean reads(Buffer buffer) {
    return reads.contains(buffer);
  }

  /** Whether it writes a buffer. */
  public boolean writes(Buffer buffer) {
    return writes.contains(buffer);
  }

  /** What it reads, without its own memory. */
  public Set<Buffer> reads() {
    return Collections.unmodifiableSet(reads);
  }

  /** What it writes, without its own memory. */
  public Set<Buffer> writes() {
    return Collections.unmodifiableSet(writes);
  }

  /** The stages that write a buffer. */
  public static List<Stage> writers(List<Stage> stages, Buffer buffer) {
    return stages.stream().filter(stage -> stage.writes(buffer)).toList();
  }

  /**
   * Whether a buffer is written by one stage, or by one that starts a reduction and the reduction:
   * not changed again in place.
   */
  public static boolean isMadeOnce(List<Stage> stages, Buffer buffer) {
    List<Stage> writers = writers(stages, buffer);
    return writers.size() == 1
        || (writers.size() == 2
            && writers.getFirst().reads().isEmpty()
            && writers.getLast().reads(buffer)
            && writers.getLast().isReduction());
  }

  private boolean isReduction() {
    return blocks.stream()
        .flatMap(block -> block.iterVars().stream())
        .anyMatch(axis -> axis.kind() == IterKind.REDUCE);
  }
}
