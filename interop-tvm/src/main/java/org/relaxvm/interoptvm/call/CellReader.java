package org.relaxvm.interoptvm.call;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.DeviceTypeCodes;
import org.relaxvm.api.Managed;
import org.relaxvm.api.ScalarTag;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.interoptvm.abi.Cell;
import org.relaxvm.interoptvm.abi.DlTensor;
import org.relaxvm.interoptvm.abi.NativeObject;
import org.relaxvm.interoptvm.abi.ObjectBlock;
import org.relaxvm.interoptvm.abi.RawMemory;
import org.relaxvm.interoptvm.abi.TypeIndex;

/**
 * Reads cells that compiled code has written (docs/spec/native-library.md, sections 2.1 and 3.2).
 */
final class CellReader {
  private CellReader() {}

  /**
   * Reads an argument, borrowed from compiled code for the call.
   *
   * @param made gets what was made for it and must be released after the call
   * @return the reference half of a tagged value; the scalar half is the cell's word
   */
  static @Nullable Object readArgument(NativeThread thread, long cell, ArgumentScope made) {
    long word = Cell.word(cell);
    return switch (Cell.type(cell)) {
      case TypeIndex.NONE -> null;
      case TypeIndex.INT -> ScalarTag.INT;
      case TypeIndex.BOOL -> ScalarTag.BOOL;
      case TypeIndex.FLOAT -> ScalarTag.FLOAT;
      case TypeIndex.OPAQUE_POINTER -> pointer(thread, word);
      case TypeIndex.DL_TENSOR_POINTER -> tensor(thread, word, made);
      case TypeIndex.OBJECT_RVALUE_REF -> object(thread, Cell.type(cell), RawMemory.getLong(word));
      default -> value(thread, cell);
    };
  }

  /** Takes a result over: the caller owns what it gets. */
  static void takeResult(NativeThread thread, long cell, CallResult result) {
    long word = Cell.word(cell);
    switch (Cell.type(cell)) {
      case TypeIndex.NONE -> result.setNull();
      case TypeIndex.INT -> result.setLong(word);
      case TypeIndex.BOOL -> result.setBoolean(word != 0);
      case TypeIndex.FLOAT -> result.setDouble(Double.longBitsToDouble(word));
      default -> result.set(takeBoxed(thread, cell));
    }
  }

  /** Takes a value over: the caller owns what it gets; scalars are boxed. */
  static @Nullable Object takeBoxed(NativeThread thread, long cell) {
    int type = Cell.type(cell);
    long word = Cell.word(cell);
    switch (type) {
      case TypeIndex.NONE:
        return null;
      case TypeIndex.INT:
        return word;
      case TypeIndex.BOOL:
        return word != 0;
      case TypeIndex.FLOAT:
        return Double.longBitsToDouble(word);
      case TypeIndex.OPAQUE_POINTER:
        return pointer(thread, word);
      case TypeIndex.DL_TENSOR_POINTER:
        return ownedTensor(thread, word);
      default:
        if (type < TypeIndex.OBJECT) {
          return value(thread, cell);
        }
        if (thread.objects.holds(word)) {
          return thread.objects.take(word);
        }
        if (thread.holds(word)) {
          // A constant, or an object of the thread that launched this one.
          Object shared = thread.objectAt(word);
          Managed.retain(shared);
          return shared;
        }
        return NativeObject.take(type, word);
    }
  }

  /** Whether this is how Java sees a pointer of compiled code. */
  static boolean isPointer(MemorySegment segment) {
    return segment.isNative() && segment.byteSize() == 0;
  }

  private static @Nullable Object pointer(NativeThread thread, long word) {
    if (word == 0) {
      return null;
    }
    return thread.holds(word) ? thread.objectAt(word) : MemorySegment.ofAddress(word);
  }

  private static Object tensor(NativeThread thread, long word, ArgumentScope made) {
    long block = ObjectBlock.ofBody(word);
    if (thread.holds(block) && thread.objectAt(block) instanceof Object known) {
      return known;
    }
    return made.keep(ForeignTensor.view(word));
  }

  private static Object ownedTensor(NativeThread thread, long word) {
    long block = ObjectBlock.ofBody(word);
    if (thread.holds(block) && thread.objectAt(block) instanceof Object known) {
      Managed.retain(known);
      return known;
    }
    // What compiled code points at is its own: a result must outlive it.
    try (var view = ForeignTensor.view(word)) {
      return view.toHost();
    }
  }

  private static Object object(NativeThread thread, int type, long word) {
    if (thread.holds(word) && thread.objectAt(word) instanceof Object known) {
      return known;
    }
    throw new CallException(
        ErrorKind.TYPE,
        "compiled code passed an object of type "
            + type
            + " that it made itself; RelaxVM takes scalars, strings and tensors from it, and the"
            + " objects that it was given");
  }

  private static Object value(NativeThread thread, long cell) {
    int type = Cell.type(cell);
    long word = Cell.word(cell);
    return switch (type) {
      case TypeIndex.DATA_TYPE -> DlTensor.dtype((int) word);
      case TypeIndex.DEVICE -> device((int) word, (int) (word >>> 32));
      case TypeIndex.RAW_STRING -> RawMemory.string(word);
      case TypeIndex.BYTE_ARRAY_POINTER ->
          RawMemory.segment(RawMemory.getLong(word), RawMemory.getLong(word + 8))
              .toArray(JAVA_BYTE);
      case TypeIndex.SMALL_STRING ->
          RawMemory.string(Cell.smallBytes(cell), Cell.smallLength(cell));
      case TypeIndex.SMALL_BYTES ->
          RawMemory.segment(Cell.smallBytes(cell), Cell.smallLength(cell)).toArray(JAVA_BYTE);
      default -> {
        if (type < TypeIndex.OBJECT) {
          throw new CallException(
              ErrorKind.TYPE, "compiled code passed a value of the unknown type " + type);
        }
        yield object(thread, type, word);
      }
    };
  }

  private static DeviceId device(int type, int ordinal) {
    return DeviceTypeCodes.kindOf(type)
        .map(kind -> new DeviceId(kind, ordinal))
        .orElseThrow(
            () ->
                new CallException(
                    ErrorKind.VALUE, "compiled code names the unknown device type " + type));
  }
}
