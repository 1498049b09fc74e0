package org.relaxvm.interoponnx.options;

/**
 * What a model may cost at most, so that no file takes memory or time without bound. A model that
 * goes beyond a limit is refused with a message that names it. Immutable.
 *
 * <pre>{@code
 * OnnxModel model = OnnxModel.open(path, OnnxLimits.DEFAULT.withMaxFields(1L << 30));
 * }</pre>
 *
 * @param maxFields fields of messages in the file, elements of tensors not included; a message
 *     counts as {@value #FIELDS_OF_A_MESSAGE} fields, a text as one for each 32 bytes. Bounds the
 *     Java heap that the structure takes, to about 50 bytes a field
 * @param maxNodes nodes that are translated, each as often as it is: in every call of a function,
 *     in every iteration of a loop that is unrolled, in every copy of a branch
 * @param maxDepth subgraphs and calls of functions inside each other
 * @param maxRank axes of a tensor
 * @param maxConstantBytes bytes of all constants together that are made while the model is
 *     imported: sparse tensors in dense form, tables of transforms and of tree ensembles
 */
public record OnnxLimits(
    long maxFields, long maxNodes, int maxDepth, int maxRank, long maxConstantBytes) {
  /** How many fields a message counts as, besides its own ones. */
  public static final int FIELDS_OF_A_MESSAGE = 8;

  /**
   * 33,554,432 fields, 262,144 nodes, 64 levels, 32 axes, 256 MiB of constants: far beyond models
   * that are used.
   */
  public static final OnnxLimits DEFAULT = new OnnxLimits(1L << 25, 1L << 18, 64, 32, 256L << 20);

  /** Checks that each limit is positive. */
  public OnnxLimits {
    requirePositive("maxFields", maxFields);
    requirePositive("maxNodes", maxNodes);
    requirePositive("maxDepth", maxDepth);
    requirePositive("maxRank", maxRank);
    requirePositive("maxConstantBytes", maxConstantBytes);
  }

  private static void requirePositive(String name, long value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " must be 1 or more, but got " + value);
    }
  }

  /** The same limits with another {@code maxFields}. */
  public OnnxLimits withMaxFields(long fields) {
    return new OnnxLimits(fields, maxNodes, maxDepth, maxRank, maxConstantBytes);
  }

  /** The same limits with another {@code maxNodes}. */
  public OnnxLimits withMaxNodes(long nodes) {
    return new OnnxLimits(maxFields, nodes, maxDepth, maxRank, maxConstantBytes);
  }

  /** The same limits with another {@code maxDepth}. */
  public OnnxLimits withMaxDepth(int levels) {
    return new OnnxLimits(maxFields, maxNodes, levels, maxRank, maxConstantBytes);
  }

  /** The same limits with another {@code maxRank}. */
  public OnnxLimits withMaxRank(int axes) {
    return new OnnxLimits(maxFields, maxNodes, maxDepth, axes, maxConstantBytes);
  }

  /** The same limits with another {@code maxConstantBytes}. */
  public OnnxLimits withMaxConstantBytes(long bytes) {
    return new OnnxLimits(maxFields, maxNodes, maxDepth, maxRank, bytes);
  }
}
