package org.relaxvm.interoprelay.release.interp;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Closure;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Storage;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.TypeCode;
import org.relaxvm.api.TypeKeys;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/** Reads registers as what an instruction needs. */
final class HostValues {
  private HostValues() {}

  /** The one element of a tensor of whole numbers or booleans. */
  static long integer(@Nullable Object value, int register) {
    if (value instanceof Tensor tensor
        && tensor.elementCount() == 1
        && tensor.dtype().lanes() == 1
        && (tensor.dtype().isInteger() || tensor.dtype().code() == TypeCode.BOOL)) {
      return tensor.toLongArray()[0];
    }
    throw mismatch(register, "a tensor with one integer or boolean", value);
  }

  static Tensor tensor(@Nullable Object value, int register) {
    if (value instanceof Tensor tensor) {
      return tensor;
    }
    throw mismatch(register, "a tensor", value);
  }

  static Tuple datatype(@Nullable Object value, int register) {
    if (value instanceof Tuple tuple) {
      return tuple;
    }
    throw mismatch(register, "a datatype", value);
  }

  static Storage storage(@Nullable Object value, int register) {
    if (value instanceof Storage storage) {
      return storage;
    }
    throw mismatch(register, "a storage", value);
  }

  static Closure closure(@Nullable Object value, int register) {
    if (value instanceof Closure closure) {
      return closure;
    }
    throw mismatch(register, "a closure", value);
  }

  /** The elements of a tensor of rank 1; a tensor of rank 0 stands for the shape of a scalar. */
  static Shape shape(@Nullable Object value, int register) {
    if (value instanceof Tensor tensor && tensor.shape().rank() <= 1 && isWide(tensor.dtype())) {
      return tensor.shape().rank() == 0 ? Shape.scalar() : Shape.of(tensor.toLongArray());
    }
    throw mismatch(register, "a tensor of int32 or int64 of rank 1 or 0", value);
  }

  private static boolean isWide(DType dtype) {
    return dtype.equals(DType.INT32) || dtype.equals(DType.INT64);
  }

  static CallException mismatch(int register, String expected, @Nullable Object value) {
    String got = value instanceof Tensor tensor ? "a tensor, " + tensor : TypeKeys.describe(value);
    return new CallException(
        ErrorKind.TYPE,
        "register $"
            + register
            + " is of the wrong kind\n  expected: "
            + expected
            + "\n  got: "
            + got);
  }
}
