package org.relaxvm.backendcpu.vector.lane;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorMask;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.DTypes;
import org.relaxvm.tir.expr.IntegerMath;
import org.relaxvm.tir.scalar.Scalars;

/**
 * Vectors of a dtype at one of the widths, from and to the scalars of {@link Scalars}, and the
 * methods on them, found as generated code finds them.
 */
record Lane(DType dtype, boolean half) {
  static final List<Class<?>> CLASSES =
      List.of(
          FloatLaneOps.class,
          DoubleLaneOps.class,
          IntLaneOps.class,
          LongLaneOps.class,
          MaskLaneOps.class,
          IntLaneDivision.class,
          FloatLaneMath.class,
          DoubleLaneMath.class,
          FloatLaneRounding.class,
          FloatLaneCasts.class,
          DoubleLaneCasts.class,
          IntLaneCasts.class,
          LongLaneCasts.class,
          MaskLaneCasts.class,
          LaneConstants.class,
          FullLoads.class,
          FullMaskedLoads.class,
          FullStores.class,
          FullMaskedStores.class,
          HalfLoads.class,
          HalfMaskedLoads.class,
          HalfStores.class,
          HalfMaskedStores.class);

  static final List<DType> DTYPES =
      List.of(
          DType.BOOL,
          DType.INT8,
          DType.UINT8,
          DType.INT16,
          DType.UINT16,
          DType.INT32,
          DType.UINT32,
          DType.INT64,
          DType.UINT64,
          DType.FLOAT16,
          DType.BFLOAT16,
          DType.FLOAT32,
          DType.FLOAT64);

  private static final double[] FLOATS = {
    0,
    -0.0,
    1,
    -1,
    0.5,
    -0.5,
    1.5,
    2.5,
    -2.5,
    3,
    7,
    100.25,
    255,
    256,
    257,
    32768,
    65504,
    65519,
    65520,
    -65536,
    8388607.5,
    8388609,
    16777217,
    2147483520,
    2147483648.0,
    -2147483648.0,
    4294967040.0,
    4294967296.0,
    0x1p63,
    0x1p64,
    -0x1p63,
    0x1.FEp127,
    0x1.FFp127,
    3.4028235e38,
    Double.MAX_VALUE,
    1.1754944e-38,
    1e-40,
    0x1p-149,
    0x1p-133,
    0x1.8p-134,
    0x1p-24,
    0x1p-25,
    0x1.8p-25,
    0x1p-14,
    0x1.FFCp-15,
    0x1p-1074,
    0x1p-1022,
    1e-5,
    88.7,
    -87.5,
    -103.9,
    710,
    -745,
    1e6,
    1e7,
    1e22,
    Double.NaN,
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY
  };
  private static final long[] INTEGERS = {
    0,
    1,
    -1,
    2,
    -2,
    3,
    7,
    8,
    15,
    16,
    31,
    32,
    63,
    64,
    100,
    127,
    128,
    -128,
    255,
    256,
    257,
    32767,
    32768,
    -32768,
    65535,
    65537,
    0xFF_FFFF,
    0x100_0001,
    0x101_0001,
    -0x101_0001,
    0x8080_0001L,
    0x4040_0001,
    -0x4040_0001,
    0x4040_0000,
    Integer.MAX_VALUE,
    Integer.MIN_VALUE,
    0xFFFF_FFFFL,
    1L << 32,
    (1L << 53) + 1,
    0x4040_0000_0000_0001L,
    -0x4040_0000_0000_0001L,
    0x8080_0000_0000_0001L,
    0x8000_0080_0000_0001L,
    Long.MAX_VALUE,
    Long.MIN_VALUE,
    Long.MIN_VALUE + 1
  };

  /** The widths that there are. */
  static List<Lane> widths(DType dtype) {
    Lane half = new Lane(dtype, true);
    return dtype.bits() == 64 ? List.of(half) : List.of(half, new Lane(dtype, false));
  }

  int lanes() {
    return half ? Lanes.DOUBLE.length() : Lanes.FULL;
  }

  boolean unsigned() {
    return DTypes.isUnsigned(dtype) && !dtype.equals(DType.BOOL);
  }

  /** Extreme numbers of the dtype, and random ones. */
  long[] numbers(Random random, int count) {
    long[] numbers = new long[count];
    for (int i = 0; i < count; i++) {
      long bits = random.nextLong() >> random.nextInt(64);
      if (dtype.isFloat()) {
        double value =
            i < FLOATS.length
                ? FLOATS[i]
                : i % 3 == 0
                    ? Float.intBitsToFloat(random.nextInt())
                    : i % 3 == 1 ? random.nextGaussian() * 10 : bits * 0x1p-20;
        numbers[i] = Scalars.ofDouble(dtype, value);
      } else {
        numbers[i] = IntegerMath.wrap(dtype, i < INTEGERS.length ? INTEGERS[i] : bits);
      }
    }
    return numbers;
  }

  Class<?> type() {
    if (dtype.equals(DType.BOOL)) {
      return VectorMask.class;
    }
    if (dtype.isFloat()) {
      return dtype.bits() == 64 ? DoubleVector.class : FloatVector.class;
    }
    return dtype.bits() == 64 ? LongVector.class : IntVector.class;
  }

  /** A vector of numbers from a place on. */
  Object vector(long[] numbers, int at) {
    long[] part = Arrays.copyOfRange(numbers, at, at + lanes());
    if (dtype.equals(DType.BOOL)) {
      boolean[] values = new boolean[part.length];
      for (int i = 0; i < part.length; i++) {
        values[i] = part[i] != 0;
      }
      return VectorMask.fromArray(Lanes.ints(lanes()), values, 0);
    }
    if (!dtype.isFloat()) {
      return dtype.bits() == 64
          ? LongVector.fromArray(Lanes.LONG, part, 0)
          : IntVector.fromArray(
              Lanes.ints(lanes()), Arrays.stream(part).mapToInt(x -> (int) x).toArray(), 0);
    }
    double[] values = Arrays.stream(part).mapToDouble(Scalars::toDouble).toArray();
    if (dtype.bits() == 64) {
      return DoubleVector.fromArray(Lanes.DOUBLE, values, 0);
    }
    float[] floats = new float[values.length];
    for (int i = 0; i < floats.length; i++) {
      floats[i] = (float) values[i];
    }
    return FloatVector.fromArray(Lanes.floats(lanes()), floats, 0);
  }

  /** The numbers of a vector of this dtype and width. */
  long[] numbers(Object vector) {
    long[] numbers =
        switch (vector) {
          case VectorMask<?> x -> bits(x.toArray());
          case FloatVector x -> {
            long[] bits = new long[x.length()];
            float[] values = x.toArray();
            for (int i = 0; i < bits.length; i++) {
              bits[i] = Double.doubleToRawLongBits(values[i]);
            }
            yield bits;
          }
          case DoubleVector x ->
              Arrays.stream(x.toArray()).mapToLong(Double::doubleToRawLongBits).toArray();
          case IntVector x ->
              Arrays.stream(x.toArray())
                  .mapToLong(i -> dtype.equals(DType.UINT32) ? Integer.toUnsignedLong(i) : i)
                  .toArray();
          case LongVector x -> x.toArray();
          default -> throw new AssertionError(vector);
        };
    if (numbers.length != lanes()) {
      throw new AssertionError(
          "expected " + lanes() + " lanes of " + dtype + ", but got " + vector);
    }
    return numbers;
  }

  private static long[] bits(boolean[] values) {
    long[] bits = new long[values.length];
    for (int i = 0; i < bits.length; i++) {
      bits[i] = values[i] ? 1 : 0;
    }
    return bits;
  }

  /** A result brought into the range of the dtype, as callers do. */
  Object fit(Object vector) {
    if (dtype.bits() < 32 && !dtype.equals(DType.BOOL)) {
      String name = (dtype.isFloat() ? "round" : "wrap") + capital(dtype.toString());
      return call(find(name, type()).orElseThrow(), vector);
    }
    return vector;
  }

  static String capital(String name) {
    return name.substring(0, 1).toUpperCase(java.util.Locale.ROOT) + name.substring(1);
  }

  /** {@code floor_div} as {@code floorDiv}. */
  static String camel(String name) {
    String[] words = name.toLowerCase(java.util.Locale.ROOT).split("_");
    StringBuilder text = new StringBuilder(words[0]);
    for (int i = 1; i < words.length; i++) {
      text.append(capital(words[i]));
    }
    return text.toString();
  }

  static Optional<Method> find(String name, Class<?>... types) {
    for (Class<?> owner : CLASSES) {
      try {
        return Optional.of(owner.getMethod(name, types));
      } catch (NoSuchMethodException e) {
        // Perhaps in another class.
        continue;
      }
    }
    return Optional.empty();
  }

  static Object call(Method method, Object... arguments) {
    try {
      return method.invoke(null, arguments);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new AssertionError(method + " failed", e);
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }

  /** Whether two scalars are the same, or both NaN. */
  boolean same(long a, long b) {
    return a == b
        || (dtype.isFloat()
            && Double.isNaN(Scalars.toDouble(a))
            && Double.isNaN(Scalars.toDouble(b)));
  }

  @Override
  public String toString() {
    return dtype + (half ? " at half width" : " at full width");
  }
}
