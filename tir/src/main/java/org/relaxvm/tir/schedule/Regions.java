package org.relaxvm.tir.schedule;

import java.util.List;
import org.relaxvm.tir.region.AccessRegions;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BufferRegion;
import org.relaxvm.tir.stmt.Stmt;

/** What blocks say that they read and write. */
final class Regions {
  private Regions() {}

  /** The block with regions that fit its body; those of a block without any stay none. */
  static Block renew(Block block) {
    if (block.reads().isEmpty() && block.writes().isEmpty()) {
      return block;
    }
    Stmt[] parts =
        block.init().isPresent()
            ? new Stmt[] {block.init().get(), block.body()}
            : new Stmt[] {block.body()};
    AccessRegions regions = AccessRegions.of(parts);
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
