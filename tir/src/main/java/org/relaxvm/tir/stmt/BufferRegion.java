package org.relaxvm.tir.stmt;

import java.util.List;
import org.relaxvm.tir.expr.Buffer;

/**
 * A part of a buffer.
 *
 * @param ranges one per axis
 */
public record BufferRegion(Buffer buffer, List<Range> ranges) {
  /** Copies the ranges. */
  public BufferRegion {
    ranges = List.copyOf(ranges);
  }
}
