package org.relaxvm.integrationtests.programs;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Locale;
import org.relaxvm.api.DType;
import org.relaxvm.api.Tensor;

/** Writes elements of tensors on the host. */
final class Elements {
  private Elements() {}

  /**
   * Writes an element.
   *
   * @param index in row-major order
   */
  static void put(Tensor tensor, long index, double value) {
    MemorySegment memory = tensor.segment();
    DType dtype = tensor.dtype();
    switch (dtype.toString().toLowerCase(Locale.ROOT)) {
      case "float32" -> memory.setAtIndex(ValueLayout.JAVA_FLOAT, index, (float) value);
      case "float64" -> memory.setAtIndex(ValueLayout.JAVA_DOUBLE, index, value);
      case "float16" ->
          memory.setAtIndex(ValueLayout.JAVA_SHORT, index, Float.floatToFloat16((float) value));
      case "bfloat16" ->
          memory.setAtIndex(
              ValueLayout.JAVA_SHORT, index, (short) (Float.floatToIntBits((float) value) >>> 16));
      case "int64", "uint64" -> memory.setAtIndex(ValueLayout.JAVA_LONG, index, (long) value);
      case "int32", "uint32" -> memory.setAtIndex(ValueLayout.JAVA_INT, index, (int) (long) value);
      case "int16", "uint16" ->
          memory.setAtIndex(ValueLayout.JAVA_SHORT, index, (short) (long) value);
      case "int8", "uint8", "bool" -> memory.set(ValueLayout.JAVA_BYTE, index, (byte) (long) value);
      default -> throw new AssertionError("no elements of " + dtype);
    }
  }
}
