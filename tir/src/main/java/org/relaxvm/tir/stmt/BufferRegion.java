package org.relaxvm.tir.stmt;

import java.util.List;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Count;

/**
 * A part of a buffer.
 *
 * @param ranges one per axis, of int64
 */
public record BufferRegion(Buffer buffer, List<Range> ranges) {
  /** Checks the ranges and copies them. */
  public BufferRegion {
    ranges = List.copyOf(ranges);
    if (ranges.size() != buffer.rank()) {
      throw new InvalidProgramException(
          ErrorKind.VALUE,
          "the buffer "
              + buffer
              + " has "
              + Count.axes(buffer.rank())
              + ", but a region of it has "
              + Count.of(ranges.size(), "range", "ranges"));
    }
    for (Range range : ranges) {
      if (!range.isOf(DType.INT64)) {
        throw new InvalidProgramException(
            ErrorKind.TYPE,
            "a region of the buffer " + buffer + " must be int64, but is " + range.dtypes());
      }
    }
  }
}
