package org.relaxvm.tir.analysis;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.tir.Param;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BufferRegion;

/**
 * An operation that a device has for a whole nest of loops, such as a matmul of small matrices.
 * Immutable and thread-safe.
 *
 * <p>The description is a kernel that computes the same: loops over blocks, or over plain stores.
 * Its parameters are buffers. Each stands for a tile of some buffer of the kernel in which the
 * operation is used; that may have more axes in front, of which the tile has one point. What the
 * operation takes for granted is written as constants, what it takes as it comes as variables of
 * their own:
 *
 * <ul>
 *   <li>a shape of constants is the size of the tile;
 *   <li>strides that are variables may have any value, constants must be those of the tile. A
 *       parameter without strides is row-major, and so must the tile;
 *   <li>an offset that is a variable may have any value;
 *   <li>the memory scope must be that of the buffer.
 * </ul>
 *
 * <p>{@link org.relaxvm.tir.schedule.Schedule#tensorize} puts a nest that computes what the
 * description says into a block with the annotation {@value #ANNOTATION}, whose value is the name.
 * The nest stays in the block: who does not know the name runs it. Who does finds in {@link
 * Block#reads} a region for each of {@link #inputs}, in that order, and in {@link Block#writes} one
 * for each of {@link #outputs}. The last axes of a region are those of the parameter; axes in front
 * of them have the extent 1. The position of the first element and the steps between elements
 * follow from the minima of the region and the strides of its buffer.
 *
 * @param name under which code generators know it
 * @param description what it computes; it has no result and no memory of its own
 */
public record TensorIntrinsic(String name, PrimFunc description) {
  /** The annotation of a block that does what an intrinsic does; its value is the name of that. */
  public static final String ANNOTATION = "tensorize";

  /**
   * Checks the parameters.
   *
   * @throws InvalidProgramException when one is no buffer, or is neither read nor written
   */
  public TensorIntrinsic {
    AccessRegions regions = AccessRegions.of(description.body());
    for (Param param : description.params()) {
      if (!(param instanceof Param.OfBuffer(Buffer buffer))) {
        throw invalid(name, param.name(), "it is a scalar, but must be a buffer");
      }
      if (!uses(regions.reads(), buffer) && !uses(regions.writes(), buffer)) {
        throw invalid(name, param.name(), "it is neither read nor written");
      }
    }
  }

  private static InvalidProgramException invalid(String name, String param, String problem) {
    return new InvalidProgramException(
        ErrorKind.VALUE,
        "the tensor intrinsic " + name + " cannot have the parameter " + param + ": " + problem);
  }

  private static boolean uses(List<BufferRegion> regions, Buffer buffer) {
    return regions.stream().anyMatch(region -> region.buffer().equals(buffer));
  }

  /** The parameters that are read, in their order; those that are updated are among them. */
  public List<Buffer> inputs() {
    return those(AccessRegions.of(description.body()).reads());
  }

  /** The parameters that are written, in their order. */
  public List<Buffer> outputs() {
    return those(AccessRegions.of(description.body()).writes());
  }

  private List<Buffer> those(List<BufferRegion> regions) {
    List<Buffer> buffers = new ArrayList<>(description.buffers());
    buffers.removeIf(buffer -> !uses(regions, buffer));
    return buffers;
  }

  /** The name of the intrinsic that a block stands for. */
  public static Optional<String> of(Block block) {
    return block.annotations().get(ANNOTATION) instanceof String name
        ? Optional.of(name)
        : Optional.empty();
  }
}
