package org.relaxvm.interoptvm.call;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.DType;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.ScalarTag;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.VmContext;
import org.relaxvm.api.engine.AnyList;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.interoptvm.abi.Cell;
import org.relaxvm.interoptvm.abi.DlTensor;
import org.relaxvm.interoptvm.abi.ObjectBlock;
import org.relaxvm.interoptvm.abi.RawMemory;
import org.relaxvm.interoptvm.abi.TypeIndex;

/**
 * Writes Java values into cells for compiled code (docs/spec/native-library.md, sections 2.1 and
 * 6).
 */
final class CellWriter {
  private CellWriter() {}

  /**
   * Writes the arguments of a call, and an empty cell for its result after them. What they point at
   * lives in the thread's memory until the caller returns to its mark.
   *
   * @param args borrowed
   * @return the address of the first cell
   */
  static long writeArguments(NativeThread thread, CallArgs args) {
    int count = args.count();
    long cellBytes = (count + 1L) * Cell.BYTES;
    // With room for all that may be tensors, which is cheaper than to ask for each.
    long cells = thread.memory.allocate(cellBytes + (long) count * DlTensor.FEW_AXES_BYTES);
    long tensors = cells + cellBytes;
    // The number is read anew each time, or the JIT compiler would prepare checks of all addresses
    // in front of the loop, which takes longer than the loop.
    for (int i = 0; i < args.count(); i++) {
      long cell = cells + (long) i * Cell.BYTES;
      Object ref = args.ref(i);
      if (ref instanceof Tensor tensor) {
        long address = tensorAt(thread, tensor, tensors + (long) i * DlTensor.FEW_AXES_BYTES);
        Cell.put(cell, TypeIndex.DL_TENSOR_POINTER, address);
      } else if (ref instanceof ScalarTag tag) {
        writeScalar(cell, tag, args.bits(i));
      } else {
        writeOther(thread, cell, ref);
      }
    }
    Cell.put(cells + (long) count * Cell.BYTES, TypeIndex.NONE, 0);
    return cells;
  }

  /** Writes the result of a Java function, which the thread's objects own from now on. */
  static void writeResult(NativeThread thread, long cell, @Nullable Object ref, long bits) {
    if (ref instanceof ScalarTag tag) {
      writeScalar(cell, tag, bits);
    } else if (ref == null) {
      Cell.put(cell, TypeIndex.NONE, 0);
    } else if (!writeSimple(cell, ref)) {
      Cell.putOwned(cell, TypeIndex.ofObject(ref), thread.objects.add(ref, true));
    }
  }

  static void writeScalar(long cell, ScalarTag tag, long bits) {
    int type =
        switch (tag) {
          case INT -> TypeIndex.INT;
          case BOOL -> TypeIndex.BOOL;
          case FLOAT -> TypeIndex.FLOAT;
        };
    Cell.put(cell, type, bits);
  }

  private static void writeOther(NativeThread thread, long cell, @Nullable Object value) {
    if (value == null) {
      Cell.put(cell, TypeIndex.NONE, 0);
    } else if (value instanceof String text) {
      Cell.put(cell, TypeIndex.RAW_STRING, stringAt(thread, text));
    } else if (value instanceof VmContext) {
      Cell.put(cell, TypeIndex.OPAQUE_POINTER, thread.objects.add(value, false));
    } else if (value instanceof AnyList list) {
      Cell.put(cell, TypeIndex.OPAQUE_POINTER, cellsOf(thread, list));
    } else if (!writeSimple(cell, value)) {
      Cell.put(cell, TypeIndex.ofObject(value), thread.objects.add(value, false));
    }
  }

  private static long cellsOf(NativeThread thread, AnyList list) {
    if (list.isWritable()) {
      RegisterList registers = RegisterList.of(thread, list);
      thread.lists.add(registers);
      return registers.cells();
    }
    return thread.requireBinding().constants(list).cells();
  }

  /**
   * Writes a value that is in a list of registers or constants.
   *
   * @param address what stands for an object
   */
  static void writeElement(long cell, @Nullable Object value, ToLongFunction<Object> address) {
    ScalarTag tag = ScalarTag.of(value);
    if (value == null) {
      Cell.put(cell, TypeIndex.NONE, 0);
    } else if (tag != null) {
      writeScalar(cell, tag, tag.bitsOf(value));
    } else if (!writeSimple(cell, value)) {
      Cell.put(cell, TypeIndex.ofObject(value), address.applyAsLong(value));
    }
  }

  /** Writes values that need no memory beside the cell. */
  static boolean writeSimple(long cell, Object value) {
    if (value instanceof DType dtype) {
      Cell.put(cell, TypeIndex.DATA_TYPE, Integer.toUnsignedLong(DlTensor.word(dtype)));
    } else if (value instanceof DeviceId device) {
      Cell.put(cell, TypeIndex.DEVICE, device.typeCode() | (long) device.ordinal() << 32);
    } else if (value instanceof MemorySegment pointer && CellReader.isPointer(pointer)) {
      Cell.put(cell, TypeIndex.OPAQUE_POINTER, pointer.address());
    } else {
      return false;
    }
    return true;
  }

  /**
   * The address of a tensor that compiled code may read and write.
   *
   * @param room for one of few axes
   */
  private static long tensorAt(NativeThread thread, Tensor tensor, long room) {
    long data = HostTensor.reachableAddress(tensor);
    if (data == HostTensor.NOT_REACHABLE) {
      if (!tensor.device().isHost()) {
        return deviceTensorAt(thread, tensor);
      }
      data = HostTensor.reachableAddress(copyOf(thread, tensor));
    }
    Shape shape = tensor.shape();
    if (shape.rank() <= DlTensor.FEW_AXES) {
      DlTensor.putOfFewAxes(room, data, tensor.dtype(), shape);
      return room;
    }
    long address = thread.memory.allocate(DlTensor.BYTES + DlTensor.AXIS_BYTES * shape.rank());
    DlTensor.put(address, address + DlTensor.BYTES, data, tensor.dtype(), shape);
    return address;
  }

  private static long deviceTensorAt(NativeThread thread, Tensor tensor) {
    if (!tensor.isContiguous()) {
      throw new CallException(
          ErrorKind.VALUE,
          "compiled code cannot take "
              + tensor
              + " with strides\n  what to do: make a compact copy of it on its device first");
    }
    return ObjectBlock.body(thread.objects.add(tensor, false));
  }

  private static Tensor copyOf(NativeThread thread, Tensor tensor) {
    for (TensorCopy copy : thread.copies) {
      if (copy.standsFor(tensor)) {
        return copy.copy();
      }
    }
    TensorCopy copy = TensorCopy.of(tensor);
    thread.copies.add(copy);
    return copy.copy();
  }

  /** The address of a string in the thread's memory, which ends with NUL. */
  static long stringAt(NativeThread thread, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (text.indexOf(0) >= 0) {
      throw new CallException(
          ErrorKind.VALUE, "a text for compiled code cannot hold the character 0, which ends it");
    }
    long address = thread.memory.allocate(bytes.length + 1L);
    for (int i = 0; i < bytes.length; i++) {
      RawMemory.putByte(address + i, bytes[i]);
    }
    RawMemory.putByte(address + bytes.length, (byte) 0);
    return address;
  }
}
