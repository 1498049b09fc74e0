package org.relaxvm.builtins;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.DType;
import org.relaxvm.api.ScalarTag;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.TypeCode;
import org.relaxvm.api.TypeKeys;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/** Integers that programs keep in tensors. */
final class HostIntegers {
  private HostIntegers() {}

  /**
   * Argument {@code index} as an integer: an integer, a boolean, or the element of a tensor with
   * one, which is copied to the host. An unsigned integer of 64 bits keeps its bits.
   *
   * @throws CallException a {@code TypeError} for any other value
   */
  static long at(CallArgs args, int index) {
    Object ref = args.ref(index);
    if (ref == ScalarTag.INT || ref == ScalarTag.BOOL) {
      return args.bits(index);
    }
    if (!(ref instanceof Tensor tensor)) {
      throw refused(index, TypeKeys.describeKey(args.typeKeyAt(index)));
    }
    if (tensor.elementCount() != 1 || !isReadable(tensor.dtype())) {
      throw refused(index, tensor.toString());
    }
    return read(Devices.onHost(args, tensor).segment(), tensor.dtype());
  }

  private static CallException refused(int index, String got) {
    return new CallException(
        ErrorKind.TYPE,
        "argument #"
            + index
            + " must be an integer, a boolean, or a tensor with one element of bool, int or uint"
            + " with 1, 8, 16, 32 or 64 bits, but is "
            + got);
  }

  private static boolean isReadable(DType dtype) {
    boolean width =
        switch (dtype.bits()) {
          case 1, 8, 16, 32, 64 -> true;
          default -> false;
        };
    return width && dtype.lanes() == 1 && (dtype.isInteger() || dtype.code() == TypeCode.BOOL);
  }

  private static long read(MemorySegment element, DType dtype) {
    long bits =
        switch (dtype.bits()) {
          case 1 -> element.get(ValueLayout.JAVA_BYTE, 0) & 1;
          case 8 -> element.get(ValueLayout.JAVA_BYTE, 0);
          case 16 -> element.get(ValueLayout.JAVA_SHORT_UNALIGNED, 0);
          case 32 -> element.get(ValueLayout.JAVA_INT_UNALIGNED, 0);
          default -> element.get(ValueLayout.JAVA_LONG_UNALIGNED, 0);
        };
    boolean signed = dtype.code() == TypeCode.INT || dtype.bits() == 64;
    return signed ? bits : bits & ((1L << dtype.bits()) - 1);
  }
}
