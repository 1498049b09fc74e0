package org.relaxvm.builtins;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.TypeCode;
import org.relaxvm.api.VmContext;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.host.HostDevice;
import org.relaxvm.api.memory.DeviceTensors;

/**
 * Access to the slots of a shape heap, an int64 host tensor of rank 1 in which a function keeps its
 * symbolic sizes.
 */
final class ShapeHeap {
  private static final ValueLayout.OfLong SLOT =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private ShapeHeap() {}

  /** A heap of zeros. */
  static Tensor allocate(VmContext vm, long slots) {
    Shape shape = Shape.ofOwned(new long[] {slots});
    Tensor heap = DeviceTensors.allocate(vm.allocator(-1), DType.INT64, shape, vm.stream(-1));
    heap.segment().fill((byte) 0);
    return heap;
  }

  static long load(@Nullable Object heap, long slot) {
    Tensor tensor = checked(heap, slot);
    return get(memory(tensor), tensor.byteOffset(), slot);
  }

  static void store(@Nullable Object heap, long slot, long value) {
    Tensor tensor = checked(heap, slot);
    set(memory(tensor), tensor.byteOffset(), slot, value);
  }

  /** A slot of a heap that begins at an offset of its memory. */
  static long get(MemorySegment memory, long start, long slot) {
    return memory.get(SLOT, start + slot * Long.BYTES);
  }

  static void set(MemorySegment memory, long start, long slot, long value) {
    memory.set(SLOT, start + slot * Long.BYTES, value);
  }

  /** Whether a tensor is a heap with so many slots. */
  static boolean isHeap(Tensor tensor, long slots) {
    return isInt64(tensor.dtype())
        && tensor.shape().rank() == 1
        && tensor.shape().dim(0) >= slots
        && tensor.isContiguous();
  }

  // The storage's own segment rather than the tensor's, which would be a new slice at each access.
  static MemorySegment memory(Tensor heap) {
    return HostDevice.segmentOf(heap.storage().memory());
  }

  private static Tensor checked(@Nullable Object heap, long slot) {
    if (heap instanceof Tensor tensor
        && isHeap(tensor, 0)
        && slot >= 0
        && slot < tensor.shape().dim(0)) {
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
    if (heap instanceof Tensor tensor && isHeap(tensor, 0)) {
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
