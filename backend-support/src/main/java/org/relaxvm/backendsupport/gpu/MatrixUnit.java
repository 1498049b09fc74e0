package org.relaxvm.backendsupport.gpu;

import java.util.Set;
import org.relaxvm.api.DType;

/**
 * What multiplies small matrices at once: {@value #ROWS} rows by {@value #COLUMNS} columns, with
 * accumulators of float32 over a depth of {@value #DEPTH_BYTES} bytes of elements. The {@value
 * #LANES} work-items of a subgroup do it together.
 *
 * <p>Work-item {@code l} of a subgroup owns {@value #ACCUMULATORS} accumulators: number {@code e}
 * is in row {@code l / 4 + 8 * (e / 2)} and column {@code 2 * (l % 4) + e % 2}.
 *
 * @param operands the dtypes of elements, all of 8 or 16 bits
 */
public record MatrixUnit(Set<DType> operands) {
  /** Rows of the accumulators. */
  public static final int ROWS = 16;

  /** Columns of the accumulators. */
  public static final int COLUMNS = 8;

  /** Bytes of the elements of an operand whose products are added to each accumulator. */
  public static final int DEPTH_BYTES = 32;

  /** Work-items of a subgroup. */
  public static final int LANES = 32;

  /** Accumulators of a work-item. */
  public static final int ACCUMULATORS = 4;

  /** Copies the set. */
  public MatrixUnit {
    operands = Set.copyOf(operands);
  }

  /** How many products of elements of a dtype are added to each accumulator. */
  public static int depth(DType dtype) {
    return DEPTH_BYTES / dtype.elementByteSize();
  }
}
