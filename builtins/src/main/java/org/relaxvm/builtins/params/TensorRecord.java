package org.relaxvm.builtins.params;

import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;

/**
 * One tensor of a shard.
 *
 * @param format {@code raw}, or {@code f32-to-bf16}: a float32 tensor of which only the upper
 *     halves of the elements are stored
 * @param byteSize bytes stored
 * @param byteOffset of the first byte in the shard
 */
record TensorRecord(
    String name, DType dtype, Shape shape, String format, long byteSize, long byteOffset) {

  static final String RAW = "raw";
  static final String HALVED = "f32-to-bf16";

  // The writer stamps one format on all records, so tensors of other dtypes carry it and are raw.
  boolean isHalved() {
    return dtype.equals(DType.FLOAT32) && format.equals(HALVED);
  }

  /** The bytes that the tensor's elements take as they are stored. */
  long storedByteSize() {
    long whole = dtype.byteSize(shape.elementCount());
    return isHalved() ? whole / 2 : whole;
  }
}
