package org.relaxvm.tir.stmt;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.relaxvm.tir.expr.Buffer;

/**
 * A unit of computation for each point of its axes; the unit of scheduling.
 *
 * @param reads the regions that a point reads, in terms of the axes
 * @param writes the regions that a point writes
 * @param allocBuffers temporary buffers, allocated while the block runs
 * @param init runs before the body at points where all axes of kind {@link IterKind#REDUCE} are at
 *     the start of their domains
 */
public record Block(
    String name,
    List<IterVar> iterVars,
    List<BufferRegion> reads,
    List<BufferRegion> writes,
    List<Buffer> allocBuffers,
    Optional<Stmt> init,
    Stmt body,
    Map<String, Object> annotations) {
  /** The name of the root block of a function. */
  public static final String ROOT = "root";

  /** Copies the lists. */
  public Block {
    iterVars = List.copyOf(iterVars);
    reads = List.copyOf(reads);
    writes = List.copyOf(writes);
    allocBuffers = List.copyOf(allocBuffers);
    annotations = Annotations.copyOf(annotations);
  }

  /** The root block of a function, without axes. */
  public static BlockRealize root(List<Buffer> allocBuffers, Stmt body) {
    Block block =
        new Block(
            ROOT, List.of(), List.of(), List.of(), allocBuffers, Optional.empty(), body, Map.of());
    return BlockRealize.always(block, List.of());
  }

  /** The same block with another body. */
  public Block withBody(Stmt newBody) {
    return new Block(name, iterVars, reads, writes, allocBuffers, init, newBody, annotations);
  }
}
