package org.relaxvm.tir.stmt;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.relaxvm.tir.expr.Buffer;

/**
 * A piece of work for each point of some axes: what schedules move around.
 *
 * @param reads all that a point reads, in terms of the axes
 * @param writes all that a point writes
 * @param allocBuffers buffers that live while the block runs
 * @param init runs in front of the body where all axes of kind {@link IterKind#REDUCE} are at the
 *     start of their domains
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
  /** The name of the block around all others of a function. */
  public static final String ROOT = "root";

  /** Copies the lists. */
  public Block {
    iterVars = List.copyOf(iterVars);
    reads = List.copyOf(reads);
    writes = List.copyOf(writes);
    allocBuffers = List.copyOf(allocBuffers);
    annotations = Annotations.copyOf(annotations);
  }

  /** A block without axes around all others of a function. */
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
