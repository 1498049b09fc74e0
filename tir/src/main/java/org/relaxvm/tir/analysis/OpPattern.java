package org.relaxvm.tir.analysis;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;

/**
 * How the elements that a kernel writes depend on those that it reads, from the freest kind to fuse
 * to the most bound. Source: docs/spec/passes.md, section 3.
 */
public enum OpPattern {
  /** Each element is made of those at the same index. */
  ELEMWISE(0),
  /** Inputs are repeated along some axes. */
  BROADCAST(1),
  /** Each element is made of one index of each input, which any index arithmetic gives. */
  INJECTIVE(2),
  /** Elements are reductions over axes of the inputs. */
  COMM_REDUCE(3),
  /** A matmul, window or normalization, after which stages of single elements can go. */
  OUT_EWISE_FUSABLE(4),
  /** No kernel: several values as one. */
  TUPLE(7),
  /** Anything else. */
  OPAQUE(8);

  private final int code;

  OpPattern(int code) {
    this.code = code;
  }

  /** The number in the attribute {@link OpPatterns#ATTRIBUTE}. */
  public int code() {
    return code;
  }

  /**
   * The kind with a number.
   *
   * @throws InvalidProgramException a {@code ValueError} when there is none
   */
  public static OpPattern of(int code) {
    for (OpPattern pattern : values()) {
      if (pattern.code == code) {
        return pattern;
      }
    }
    throw new InvalidProgramException(
        ErrorKind.VALUE,
        "no kind of kernel has the number "
            + code
            + "; expected one of "
            + Arrays.stream(values())
                .map(pattern -> pattern.code + " " + pattern)
                .collect(Collectors.joining(", ")));
  }

  /** The one that is more bound. */
  OpPattern max(OpPattern other) {
    return compareTo(other) >= 0 ? this : other;
  }
}
