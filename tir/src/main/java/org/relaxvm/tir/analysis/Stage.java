package org.relaxvm.tir.analysis;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.rewrite.IrVisitor;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.IterKind;
import org.relaxvm.tir.stmt.Stmt;

/**
 * A stage of a kernel: one of the statements that it consists of, such as the loops around a block.
 * Immutable and thread-safe.
 */
public sealed class Stage permits LoopStage {
  private final Stmt statement;
  private final List<Block> blocks = new ArrayList<>();
  private final Set<Buffer> reads = new LinkedHashSet<>();
  private final Set<Buffer> writes = new LinkedHashSet<>();

  Stage(Stmt statement) {
    this.statement = statement;
    new IrVisitor() {
      @Override
      public void visit(Block block) {
        blocks.add(block);
        super.visit(block);
      }
    }.visit(statement);
    AccessRegions regions = AccessRegions.of(statement);
    regions.reads().forEach(region -> reads.add(region.buffer()));
    regions.writes().forEach(region -> writes.add(region.buffer()));
  }

  /** The statement. */
  public final Stmt statement() {
    return statement;
  }

  /** The names of its blocks. */
  public final List<String> blocks() {
    return blocks.stream().map(Block::name).toList();
  }

  /** Whether it reads a buffer. */
  public final boolean reads(Buffer buffer) {
    return reads.contains(buffer);
  }

  /** Whether it writes a buffer. */
  public final boolean writes(Buffer buffer) {
    return writes.contains(buffer);
  }

  /** Whether it reads or writes a buffer. */
  public final boolean uses(Buffer buffer) {
    return reads(buffer) || writes(buffer);
  }

  /** The buffers that it reads, without those that it allocates. */
  public final Set<Buffer> reads() {
    return Collections.unmodifiableSet(reads);
  }

  /** The buffers that it writes, without those that it allocates. */
  public final Set<Buffer> writes() {
    return Collections.unmodifiableSet(writes);
  }

  /** Whether a block of it has a reduction axis. */
  final boolean isReduction() {
    return blocks.stream()
        .flatMap(block -> block.iterVars().stream())
        .anyMatch(axis -> axis.kind() == IterKind.REDUCE);
  }
}
