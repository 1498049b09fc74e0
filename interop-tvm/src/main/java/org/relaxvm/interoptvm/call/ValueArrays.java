package org.relaxvm.interoptvm.call;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.relaxvm.interoptvm.abi.Cell;
import org.relaxvm.interoptvm.abi.DlTensor;
import org.relaxvm.interoptvm.abi.ObjectBlock;
import org.relaxvm.interoptvm.abi.RawMemory;
import org.relaxvm.interoptvm.abi.TypeCode;
import org.relaxvm.interoptvm.abi.TypeIndex;

/**
 * Arguments as Apache TVM 0.20 and older pass them: words of values, and 32-bit type codes. The
 * words are those of cells, except that strings and byte arrays are not objects.
 *
 * <p>Rationale: docs/rationale/interop-tvm.md, "Why do arguments of old libraries pass through
 * cells?"
 *
 * @param values address of the first value
 * @param codes address of the first code
 */
record ValueArrays(long values, long codes) {
  private static final long VALUE_BYTES = 8;
  private static final long CODE_BYTES = 4;
  private static final long HEAD_BYTES = 16;

  /** Memory of the thread for so many values, without content. */
  static ValueArrays allocate(NativeThread thread, int count) {
    long values = thread.memory.allocate(count * (VALUE_BYTES + CODE_BYTES));
    return new ValueArrays(values, values + count * VALUE_BYTES);
  }

  /** The address of a value. */
  long value(int index) {
    return values + index * VALUE_BYTES;
  }

  /** The address of a type code. */
  long code(int index) {
    return codes + index * CODE_BYTES;
  }

  /** Writes what a cell holds; what it points at lives in the thread's memory. */
  void write(NativeThread thread, int index, long cell) {
    write(thread, cell, value(index), code(index));
  }

  /** Writes what a cell holds into a value and its code. */
  static void write(NativeThread thread, long cell, long value, long code) {
    int type = Cell.type(cell);
    long word = Cell.word(cell);
    RawMemory.putInt(code, TypeCode.of(type));
    RawMemory.putLong(
        value,
        switch (type) {
          case TypeIndex.STRING, TypeIndex.BYTES -> plain(thread, thread.objectAt(word));
          case TypeIndex.TENSOR -> DlTensor.withOldBool(ObjectBlock.body(word));
          case TypeIndex.DL_TENSOR_POINTER -> DlTensor.withOldBool(word);
          case TypeIndex.DATA_TYPE -> DlTensor.oldWord((int) word);
          default -> word;
        });
  }

  /** Writes a value and its code into a cell. */
  static void read(long value, long code, long cell) {
    Cell.put(cell, TypeCode.typeIndex(RawMemory.getInt(code)), RawMemory.getLong(value));
  }

  private static long plain(NativeThread thread, @Nullable Object object) {
    return switch (object) {
      case String string -> CellWriter.stringAt(thread, string);
      case byte[] bytes -> bytesAt(thread, bytes);
      case null, default -> throw new IllegalStateException("a string or bytes, not " + object);
    };
  }

  /** A structure of an address and a length, and the bytes after it. */
  private static long bytesAt(NativeThread thread, byte[] bytes) {
    long address = thread.memory.allocate(HEAD_BYTES + bytes.length);
    RawMemory.putLong(address, address + HEAD_BYTES);
    RawMemory.putLong(address + 8, bytes.length);
    MemorySegment.copy(
        MemorySegment.ofArray(bytes),
        0,
        RawMemory.segment(address + HEAD_BYTES, bytes.length),
        0,
        bytes.length);
    return address;
  }
}
