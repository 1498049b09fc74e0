package org.relaxvm.api;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/**
 * The element type of a tensor, as DLPack describes it.
 *
 * <p>{@link #toString()} and {@link #parse} use Apache TVM's text (docs/spec/executable-format.md,
 * section 1.1). Immutable and thread-safe.
 *
 * @param code the family
 * @param bits bits of one lane, 0 to 255
 * @param lanes vector lanes, 0 to 32767; a negative number {@code -n} means the scalable lanes
 *     {@code vscale x n}
 */
public record DType(TypeCode code, int bits, int lanes) {
  public static final DType BOOL = new DType(TypeCode.BOOL, 8, 1);
  public static final DType INT8 = new DType(TypeCode.INT, 8, 1);
  public static final DType INT16 = new DType(TypeCode.INT, 16, 1);
  public static final DType INT32 = new DType(TypeCode.INT, 32, 1);
  public static final DType INT64 = new DType(TypeCode.INT, 64, 1);
  public static final DType UINT8 = new DType(TypeCode.UINT, 8, 1);
  public static final DType UINT16 = new DType(TypeCode.UINT, 16, 1);
  public static final DType UINT32 = new DType(TypeCode.UINT, 32, 1);
  public static final DType UINT64 = new DType(TypeCode.UINT, 64, 1);
  public static final DType FLOAT8_E4M3FN = new DType(TypeCode.FLOAT8_E4M3FN, 8, 1);
  public static final DType FLOAT8_E5M2 = new DType(TypeCode.FLOAT8_E5M2, 8, 1);
  public static final DType FLOAT16 = new DType(TypeCode.FLOAT, 16, 1);
  public static final DType BFLOAT16 = new DType(TypeCode.BFLOAT, 16, 1);
  public static final DType FLOAT32 = new DType(TypeCode.FLOAT, 32, 1);
  public static final DType FLOAT64 = new DType(TypeCode.FLOAT, 64, 1);

  /** "No type": the dtype of a value that is not there; prints as the empty string. */
  public static final DType VOID = new DType(TypeCode.HANDLE, 0, 0);

  /** Checks the ranges. */
  public DType {
    if (bits < 0 || bits > 255) {
      throw new CallException(
          ErrorKind.VALUE, "dtype bits must be 0 to 255, but got " + bits + " for " + code.text());
    }
    if (lanes < Short.MIN_VALUE || lanes > Short.MAX_VALUE) {
      throw new CallException(
          ErrorKind.VALUE,
          "dtype lanes must fit 16 signed bits, but got " + lanes + " for " + code.text());
    }
  }

  /** The dtype of a text such as {@code float32}, {@code int8x4} or {@code bool}. */
  public static DType parse(String text) {
    return DTypeText.parse(text);
  }

  /**
   * Bytes that {@code elementCount} elements take: the bits of all of them, rounded up to whole
   * bytes, so that two {@code int4} share one byte.
   *
   * @throws CallException a {@code ValueError} when the size does not fit 63 bits, or when lanes
   *     are scalable and so have no fixed size
   */
  public long byteSize(long elementCount) {
    if (lanes < 0) {
      throw new CallException(
          ErrorKind.VALUE, "dtype " + this + " has scalable lanes and so no fixed byte size");
    }
    long bitsPerElement = (long) bits * lanes;
    if (bitsPerElement % 8 == 0) {
      long bytes = bitsPerElement / 8;
      if (elementCount == (int) elementCount && elementCount >= 0) {
        return elementCount * bytes;
      }
      if (elementCount < 0
          || Math.multiplyHigh(elementCount, bytes) != 0
          || elementCount * bytes < 0) {
        throw tooLarge(elementCount);
      }
      return elementCount * bytes;
    }
    if (elementCount < 0 || elementCount > (Long.MAX_VALUE - 7) / bitsPerElement) {
      throw tooLarge(elementCount);
    }
    return (elementCount * bitsPerElement + 7) / 8;
  }

  private CallException tooLarge(long elementCount) {
    return new CallException(
        ErrorKind.VALUE,
        "the byte size of " + elementCount + " elements of " + this + " is not in 0 to 2^63-1");
  }

  /**
   * Bytes of one element, for dtypes whose elements start on byte boundaries.
   *
   * @throws CallException a {@code ValueError} for sub-byte dtypes such as {@code int4}
   */
  public int elementByteSize() {
    if (!isByteAligned()) {
      throw new CallException(
          ErrorKind.VALUE, "elements of " + this + " do not start on byte boundaries");
    }
    return bits / 8 * lanes + (bits % 8) * lanes / 8;
  }

  /** Whether every element starts on a byte boundary; false for sub-byte dtypes. */
  public boolean isByteAligned() {
    return bits > 0 && lanes > 0 && (bits * lanes) % 8 == 0;
  }

  /** Whether this is one signed or unsigned integer of any width per element. */
  public boolean isInteger() {
    return (code == TypeCode.INT || code == TypeCode.UINT) && lanes == 1;
  }

  /**
   * Whether this is one IEEE or brain floating-point number per element, or one of the numbers of 8
   * bits that {@link Float8} converts.
   */
  public boolean isFloat() {
    return (code == TypeCode.FLOAT || code == TypeCode.BFLOAT || isFloat8()) && lanes == 1;
  }

  /** Whether this is one of the floating-point numbers of 8 bits that {@link Float8} converts. */
  public boolean isFloat8() {
    return equals(FLOAT8_E4M3FN) || equals(FLOAT8_E5M2);
  }

  @Override
  public String toString() {
    return DTypeText.format(this);
  }

  /**
   * Equality of all three components, written out.
   *
   * <p>Rationale: docs/rationale/api.md, "Why do some records write out equality?"
   */
  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof DType that
            && code == that.code
            && bits == that.bits
            && lanes == that.lanes);
  }

  @Override
  public int hashCode() {
    return (31 * code.ordinal() + bits) * 31 + lanes;
  }
}
