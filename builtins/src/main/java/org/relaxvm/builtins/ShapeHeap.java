package org.relaxvm.builtins;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.TypeCode;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.host.HostDevice;

/**
 * Access to the slots of a shape heap, an int64 host tensor of rank 1 in which a function keeps its
 * symbolic sizes.
 */
final class ShapeHeap {
  private static final ValueLayout.OfLong SLOT =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private ShapeHeap() {}

  static long load(@Nullable Object heap, long slot) {
    Tensor tensor = checked(heap, slot);
    return memory(tensor).get(SLOT, tensor.byteOffset() + slot * Long.BYTES);
  }

  static void store(@Nullable Object heap, long slot, long value) {
    Tensor tensor = checked(heap, slot);
    memory(tensor).set(SLOT, tensor.byteOffset() + slot * Long.BYTES, value);
  }

  // The storage's own segment rather than the tensor's, which would be a new slice at each access.
  private static MemorySegment memory(Tensor heap) {
    return HostDevice.segmentOf(heap.storage().memory());
  }

  private static Tensor checked(@Nullable Object heap, long slot) {
    if (heap instanceof Tensor tensor
        && isInt64(tensor.dtype())
        && tensor.shape().rank() == 1
        && slot >= 0
        && slot < tensor.shape().dim(0)
        && tensor.isContiguous()) {
      return tensor;
    }
    throw refuse(heap, slot);
  }

  private static boolean isInt64(DType dtype) {
    return dtype.code() == TypeCode.INT && dtype.bits() == 64 && dtype.lanes() == 1;
  }

  private static CallException refuse(@Nullable Object heap, long slot) {
    if (heap == null) {
      return new CallException(
          ErrorKind.VALUE,
          "slot " + slot + " of the shape heap is needed, but the heap that was passed is null");
    }
    if (heap instanceof Tensor tensor
        && isInt64(tensor.dtype())
        && tensor.shape().rank() == 1
        && tensor.isContiguous()) {
      return new CallException(
          ErrorKind.INDEX,
          "slot "
              + slot
              + " is outside of the shape heap, which has "
              + tensor.shape().dim(0)
              + " slots");
    }
    return new CallException(
        ErrorKind.TYPE,
        "expected a shape heap, a contiguous int64 tensor of rank 1, but got " + heap);
  }
}
