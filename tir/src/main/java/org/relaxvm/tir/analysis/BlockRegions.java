package org.relaxvm.tir.analysis;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BufferRegion;
import org.relaxvm.tir.stmt.IterVar;
import org.relaxvm.tir.stmt.Stmt;

/**
 * What blocks read and write, by what is in them.
 *
 * <p>Rationale: docs/rationale/tir.md, "How are the regions that a block reads and writes
 * determined?"
 */
public final class BlockRegions {
  private BlockRegions() {}

  /**
   * A block that says what it reads and writes, without memory and annotations of its own.
   *
   * @param init of {@link Block#init}
   */
  public static Block block(String name, List<IterVar> axes, Optional<Stmt> init, Stmt body) {
    return computed(new Block(name, axes, List.of(), List.of(), List.of(), init, body, Map.of()));
  }

  /** The block with regions that fit its body; one that says nothing goes on to say nothing. */
  public static Block renewed(Block block) {
    return block.reads().isEmpty() && block.writes().isEmpty() ? block : computed(block);
  }

  /** The block as it is when it says what it reads or writes, else with what fits its body. */
  public static Block declared(Block block) {
    return block.reads().isEmpty() && block.writes().isEmpty() ? computed(block) : block;
  }

  /** The block with regions that fit its body. */
  public static Block computed(Block block) {
    AccessRegions regions = AccessRegions.of(block);
    List<BufferRegion> reads = regions.reads();
    if (block.init().isPresent()) {
      // What is written so far comes from the block itself.
      reads = reads.stream().filter(region -> !regions.writes().contains(region)).toList();
    }
    return new Block(
        block.name(),
        block.iterVars(),
        reads,
        regions.writes(),
        block.allocBuffers(),
        block.init(),
        block.body(),
        block.annotations());
  }
}
