package org.relaxvm.interoptvm.abi;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.relaxvm.api.Shape;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/**
 * Objects that compiled code made, with counted owners (docs/spec/native-library.md, section 2.3).
 */
public final class NativeObject {
  private static final MethodHandle DELETER =
      Downcall.of(FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_INT));

  private static final int TYPE = 8;
  private static final int DELETER_AT = 16;
  private static final int BODY = 24;
  private static final int STRONG = 1;
  private static final int WEAK = 2;
  private static final long ONE_STRONG = 1;
  private static final long ONE_WEAK = 1L << 32;

  private NativeObject() {}

  /** Takes one owner of an object and releases its value: a string, bytes or a shape. */
  public static Object take(int type, long address) {
    try {
      return switch (type) {
        case TypeIndex.STRING -> RawMemory.string(RawMemory.getLong(address + BODY), size(address));
        case TypeIndex.BYTES ->
            RawMemory.segment(RawMemory.getLong(address + BODY), size(address)).toArray(JAVA_BYTE);
        case TypeIndex.SHAPE ->
            Shape.ofOwned(
                RawMemory.segment(RawMemory.getLong(address + BODY), 8 * size(address))
                    .toArray(JAVA_LONG_UNALIGNED));
        default ->
            throw new CallException(
                ErrorKind.TYPE,
                "compiled code returned an object of type "
                    + RawMemory.getInt(address + TYPE)
                    + " that it made itself; RelaxVM takes strings, bytes and shapes");
      };
    } finally {
      release(address);
    }
  }

  /** The kind of an error, borrowed. */
  public static String errorKind(long address) {
    return bytes(address + BODY);
  }

  /** The message of an error, borrowed. */
  public static String errorMessage(long address) {
    return bytes(address + BODY + 16);
  }

  private static String bytes(long address) {
    return RawMemory.string(RawMemory.getLong(address), RawMemory.getLong(address + 8));
  }

  private static long size(long address) {
    return RawMemory.getLong(address + BODY + 8);
  }

  private static void release(long address) {
    long before = RawMemory.getAndAddLong(address, -ONE_STRONG);
    if ((before & 0xFFFF_FFFFL) != 1) {
      return;
    }
    if (before >>> 32 == 1) {
      delete(address, STRONG | WEAK);
      return;
    }
    delete(address, STRONG);
    if (RawMemory.getAndAddLong(address, -ONE_WEAK) >>> 32 == 1) {
      delete(address, WEAK);
    }
  }

  private static void delete(long address, int parts) {
    long deleter = RawMemory.getLong(address + DELETER_AT);
    if (deleter == 0) {
      return;
    }
    try {
      DELETER.invokeExact(MemorySegment.ofAddress(deleter), address, parts);
    } catch (Throwable e) {
      throw Downcall.raised(e);
    }
  }
}
