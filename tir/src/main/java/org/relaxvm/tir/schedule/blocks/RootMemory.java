package org.relaxvm.tir.schedule.blocks;

import java.util.ArrayList;
import java.util.List;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BlockRealize;

/** Memory of the block around all others. */
final class RootMemory {
  private RootMemory() {}

  /** The kernel with more memory; one without a block around all gets one. */
  static PrimFunc add(PrimFunc function, List<Buffer> memory) {
    if (!(function.body() instanceof BlockRealize realize)) {
      return function.withBody(Block.root(memory, function.body()));
    }
    Block block = realize.block();
    List<Buffer> buffers = new ArrayList<>(block.allocBuffers());
    buffers.addAll(memory);
    Block changed =
        new Block(
            block.name(),
            block.iterVars(),
            block.reads(),
            block.writes(),
            buffers,
            block.init(),
            block.body(),
            block.annotations());
    return function.withBody(new BlockRealize(realize.iterValues(), realize.predicate(), changed));
  }
}
