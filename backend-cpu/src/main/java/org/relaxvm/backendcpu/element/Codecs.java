package org.relaxvm.backendcpu.element;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.relaxvm.api.DType;
import org.relaxvm.api.Float8;
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

  /** The codec of integers of up to 32 bits and of booleans, for {@link #holdsInts}. */
  public static Codec<int[]> ints(DType dtype) {
    return IntCodec.of(dtype, IntLanes.INSTANCE);
  }

  /** Booleans. */
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
      case 8 -> new Float8Codec(Float8.of(dtype).orElseThrow(() -> unknown(dtype)), floats);
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

  /** Floats of 8 bits in {@code float[]}. */
  private static final class Float8Codec extends Codec<float[]> {
    private final Float8 format;
    private final Lanes<float[]> lanes;

    Float8Codec(Float8 format, Lanes<float[]> lanes) {
      this.format = format;
      this.lanes = lanes;
    }

    @Override
    public Lanes<float[]> lanes() {
      return lanes;
    }

    @Override
    public int bytes() {
      return Byte.BYTES;
    }

    @Override
    public void load(MemorySegment memory, long at, long step, float[] into, int from, int to) {
      for (int i = from; i < to; i++) {
        into[i] = format.toFloat(memory.get(JAVA_BYTE, at + (i - from) * step));
      }
    }

    @Override
    public void store(float[] values, int from, int to, MemorySegment memory, long at, long step) {
      for (int i = from; i < to; i++) {
        memory.set(JAVA_BYTE, at + (i - from) * step, format.ofFloat(values[i]));
      }
    }

    @Override
    public void fillLowest(float[] into, int from, int to) {
      Arrays.fill(into, from, to, Float.NEGATIVE_INFINITY);
    }

    @Override
    public void fillHighest(float[] into, int from, int to) {
      Arrays.fill(into, from, to, Float.POSITIVE_INFINITY);
    }
  }
}
