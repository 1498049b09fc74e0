package org.relaxvm.backendcpu.element;

import org.relaxvm.api.DType;
import org.relaxvm.api.TypeCode;

/** Finds the codec of a dtype. The table of the kernel library admits no other dtypes. */
public final class Codecs {
  private static final FloatLanes PORTABLE = new FloatLanes();

  private Codecs() {}

  /**
   * The codec in which arithmetic is done: float16 and bfloat16 are computed in float32.
   *
   * @param floats arithmetic in float32; float64 is computed in what goes with it
   */
  public static Codec<?> of(DType dtype, Lanes<float[]> floats) {
    return switch (dtype.code()) {
      case FLOAT ->
          dtype.bits() == 64 ? new Float64Codec(floats.doubles()) : narrowFloat(dtype, floats);
      case BFLOAT -> narrowFloat(dtype, floats);
      default -> integer(dtype, floats);
    };
  }

  /**
   * The codec for functions of single elements: as {@link #of}, but the smaller integers are
   * computed modulo 2^32, which leaves the same low bits.
   */
  public static Codec<?> ofElements(DType dtype, Lanes<float[]> floats) {
    return IntCodec.holds(dtype) ? IntCodec.of(dtype, floats.ints()) : of(dtype, floats);
  }

  /** Whether {@link #ofElements} computes in {@code int[]}. */
  public static boolean holdsInts(DType dtype) {
    return IntCodec.holds(dtype);
  }

  /** The codec of integers of up to 32 bits and of truth values, for {@link #holdsInts}. */
  public static Codec<int[]> ints(DType dtype) {
    return IntCodec.of(dtype, IntLanes.INSTANCE);
  }

  /** Truth values. */
  public static Codec<int[]> truth() {
    return IntCodec.of(DType.BOOL, IntLanes.INSTANCE);
  }

  /** The bits of any elements of up to 4 bytes. */
  public static Codec<int[]> bits(int bytes) {
    return IntCodec.ofBits(bytes);
  }

  /** The bits of any elements of 8 bytes. */
  public static Codec<long[]> longBits() {
    return new IntegerCodec(Long.BYTES, true);
  }

  /** The codec for sums of many elements: all floats are computed in float64. */
  public static Codec<?> wide(DType dtype) {
    return dtype.isFloat() ? wideFloat(dtype) : integer(dtype);
  }

  /**
   * The codec of a floating-point dtype of up to 32 bits.
   *
   * @param floats arithmetic in float32
   */
  public static Codec<float[]> narrowFloat(DType dtype, Lanes<float[]> floats) {
    if (dtype.code() == TypeCode.BFLOAT) {
      return new HalfCodec(true, floats);
    }
    return switch (dtype.bits()) {
      case 16 -> new HalfCodec(false, floats);
      case 32 -> new Float32Codec(floats);
      default -> throw unknown(dtype);
    };
  }

  /** The codec of a floating-point dtype for computing in float64. */
  public static Codec<double[]> wideFloat(DType dtype) {
    if (dtype.bits() == 64) {
      return new Float64Codec(DoubleLanes.INSTANCE);
    }
    return new WideCodec(narrowFloat(dtype, PORTABLE), dtype.bits() == 32);
  }

  /** The codec of an integer or bool dtype. */
  public static Codec<long[]> integer(DType dtype) {
    return integer(dtype, PORTABLE);
  }

  private static Codec<long[]> integer(DType dtype, Lanes<float[]> floats) {
    return switch (dtype.code()) {
      case INT -> new IntegerCodec(dtype.bits() / 8, true, floats);
      case UINT -> new IntegerCodec(dtype.bits() / 8, false, floats);
      case BOOL -> new BoolCodec();
      default -> throw unknown(dtype);
    };
  }

  private static IllegalArgumentException unknown(DType dtype) {
    return new IllegalArgumentException("no arithmetic for dtype " + dtype);
  }
}
