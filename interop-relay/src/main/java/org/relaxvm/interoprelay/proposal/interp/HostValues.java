package org.relaxvm.interoprelay.proposal.interp;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.ScalarTag;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.TypeCode;
import org.relaxvm.api.TypeKeys;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/** Reads registers as what an instruction needs. */
final class HostValues {
  private HostValues() {}

  /** A scalar as Long, Boolean or Double; other values as they are. */
  static @Nullable Object normalized(@Nullable Object value) {
    ScalarTag tag = ScalarTag.of(value);
    return tag == null || value == null ? value : tag.box(tag.bitsOf(value));
  }

  /** An integer, a boolean as 0 or 1, or the one element of a tensor of either. */
  static long integer(@Nullable Object value, String role) {
    return switch (value) {
      case Long number -> number;
      case Boolean bool -> bool ? 1 : 0;
      case Tensor tensor when isWhole(tensor.dtype()) && tensor.elementCount() == 1 ->
          tensor.toLongArray()[0];
      case null, default ->
          throw mismatch(role, "an integer, a boolean, or a tensor with one such element", value);
    };
  }

  static Tensor tensor(@Nullable Object value, String role) {
    if (value instanceof Tensor tensor) {
      return tensor;
    }
    throw mismatch(role, "a tensor", value);
  }

  static Tuple datatype(@Nullable Object value, String role) {
    if (value instanceof Tuple tuple) {
      return tuple;
    }
    throw mismatch(role, "a datatype", value);
  }

  /** A shape, or the elements of an integer tensor of rank 1. */
  static Shape shape(@Nullable Object value, String role) {
    return switch (value) {
      case Shape shape -> shape;
      case Tensor tensor
          when tensor.shape().rank() == 1
              && tensor.dtype().code() == TypeCode.INT
              && isWhole(tensor.dtype()) ->
          Shape.of(tensor.toLongArray());
      case null, default ->
          throw mismatch(role, "a shape, or a tensor of integers of rank 1", value);
    };
  }

  private static boolean isWhole(DType dtype) {
    return dtype.lanes() == 1 && (dtype.isInteger() || dtype.code() == TypeCode.BOOL);
  }

  static CallException mismatch(String role, String expected, @Nullable Object value) {
    String got = value instanceof Tensor tensor ? "a tensor, " + tensor : TypeKeys.describe(value);
    return new CallException(
        ErrorKind.TYPE,
        role + " is of the wrong kind\n  expected: " + expected + "\n  got: " + got);
  }
}
