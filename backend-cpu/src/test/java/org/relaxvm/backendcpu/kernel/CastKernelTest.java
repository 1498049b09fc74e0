package org.relaxvm.backendcpu.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.DType;
import org.relaxvm.api.Float8;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.TypeCode;
import org.relaxvm.api.host.HostDevice;
import org.relaxvm.api.kernels.KernelLibrary;
import org.relaxvm.api.kernels.KernelSignature;

/** Casts of any bits, against exact numbers. */
class CastKernelTest {
  private static final KernelSignature SIGNATURE =
      KernelLibrary.standard().find("relaxvm.cast").orElseThrow();
  private static final List<DType> ALL =
      Stream.of(
              RandomTensors.FLOATS,
              RandomTensors.INTEGERS,
              List.of(DType.BOOL, DType.FLOAT8_E4M3FN, DType.FLOAT8_E5M2))
          .flatMap(List::stream)
          .toList();

  /** Around the bounds of integers, and where roundings to fewer bits change. */
  private static final double[] EDGES = {
    0,
    -0.0,
    0.5,
    0.99,
    1,
    126.5,
    127,
    128,
    255,
    255.9,
    256,
    32767,
    32768,
    65504,
    65519,
    65520,
    65535,
    65536,
    0x1p24 + 1,
    0x1p31 - 1,
    0x1p31,
    0x1p32 - 1,
    0x1p32,
    0x1.fffffep61,
    0x1p62,
    0x1.fffffep62,
    0x1.fffffffffffffp62,
    0x1p63,
    0x1.000002p63,
    0x1.0000000000001p63,
    0x1.8p63,
    0x1.fffffep63,
    0x1.fffffffffffffp63,
    0x1p64,
    0x1p70,
    1e30,
    Float.MAX_VALUE,
    0x1.ffp127,
    0x1.ffffffp127,
    1e300,
    Double.MAX_VALUE,
    Double.POSITIVE_INFINITY,
    Double.NaN,
    Float.MIN_VALUE,
    Double.MIN_VALUE,
    0x1p-126,
    0x1.0101p-127,
    0x1p-134,
    0x1.0000001p-134,
    0x1p-25,
    0x1.0000001p-25,
    0x1p-14,
    1 + 0x1p-8,
    1 + 0x3p-8,
    1 + 0x1p-8 + 0x1p-40,
    1 + 0x1p-11,
    1 + 0x1p-11 + 0x1p-40,
    1 + 0x1p-24,
    1 + 0x1p-24 + 0x1p-50
  };

  private final Random random = Kernels.random(CastKernelTest.class);

  @Test
  void everyPairOfDtypesConvertsAnyBits() {
    for (DType from : ALL) {
      long[] bits = bits(from, 1100 + random.nextInt(300));
      for (DType to : ALL) {
        check(from, to, bits);
      }
    }
  }

  @Test
  void shortRunsAreAsLongOnes() {
    for (DType from : ALL) {
      for (DType to : ALL) {
        check(from, to, bits(from, 1 + random.nextInt(70)));
      }
    }
  }

  private void check(DType from, DType to, long[] bits) {
    Tensor x = view(from, bits.length);
    for (int i = 0; i < bits.length; i++) {
      put(x, i, bits[i]);
    }
    Tensor out = view(to, bits.length);
    Tensor portable = view(to, bits.length);
    Kernels.call("cast", x, out);
    CastKernel.run(KernelCall.checked(SIGNATURE, CallArgs.of(x, portable), CodeChoice.portable()));
    // A truth value that is written is 0 or 1.
    DType written = to.code() == TypeCode.BOOL ? DType.UINT8 : to;
    for (int i = 0; i < bits.length; i++) {
      Object wanted = expected(from, to, bits[i]);
      String what = "%s %x to %s at %d of %d".formatted(from, bits[i], to, i, bits.length);
      assertThat(value(written, get(out, i))).as(what).isEqualTo(wanted);
      assertThat(value(written, get(portable, i))).as("portable: " + what).isEqualTo(wanted);
    }
  }

  /** Elements at any place: side by side, with gaps, or backwards. */
  private Tensor view(DType dtype, int count) {
    long first = random.nextInt(4);
    long step = random.nextInt(2) == 0 ? 1 : random.nextInt(2) == 0 ? 3 : -2;
    Tensor block = Tensor.zeros(dtype, Shape.of(first + Math.abs(step) * count));
    first += step < 0 ? -step * (count - 1) : 0;
    return block.stridedView(Shape.of(count), new long[] {step}, first);
  }

  private long[] bits(DType dtype, int count) {
    long[] bits = new long[count];
    int shift = random.nextInt(EDGES.length);
    for (int i = 0; i < count; i++) {
      double edge = EDGES[(i / 2 + shift) % EDGES.length] * (i % 2 == 0 ? 1 : -1);
      if (i >= 2 * EDGES.length && random.nextInt(3) > 0) {
        bits[i] = random.nextLong() >> random.nextInt(64);
      } else if (dtype.equals(DType.FLOAT64)) {
        bits[i] = Double.doubleToRawLongBits(edge);
      } else if (dtype.equals(DType.FLOAT32)) {
        bits[i] = Float.floatToRawIntBits((float) edge);
      } else if (dtype.equals(DType.FLOAT16)) {
        bits[i] = Float.floatToFloat16((float) edge);
      } else if (dtype.isFloat8()) {
        bits[i] = Float8.of(dtype).orElseThrow().ofFloat((float) edge);
      } else if (dtype.code() == TypeCode.BFLOAT) {
        bits[i] = Float.floatToRawIntBits((float) edge) >> 16;
      } else {
        bits[i] = (long) edge + random.nextInt(3) - 1;
      }
    }
    return bits;
  }

  private static Object expected(DType from, DType to, long bits) {
    Object value = value(from, bits);
    if (to.code() == TypeCode.BOOL) {
      return value instanceof Double number
          ? number == 0 ? BigInteger.ZERO : BigInteger.ONE
          : BigInteger.valueOf(((BigInteger) value).signum()).abs();
    }
    if (value instanceof BigInteger whole) {
      return to.isFloat() ? rounded(new BigDecimal(whole), to) : value(to, whole.longValue());
    }
    double number = (Double) value;
    if (to.isFloat()) {
      boolean same = number == 0 || !Double.isFinite(number);
      boolean isLost = Double.isInfinite(number) && to.equals(DType.FLOAT8_E4M3FN);
      return isLost
          ? (Object) Double.NaN
          : same ? value : Math.copySign(rounded(new BigDecimal(number), to), number);
    }
    boolean signed = to.code() == TypeCode.INT;
    BigInteger lowest = signed ? BigInteger.TWO.pow(to.bits() - 1).negate() : BigInteger.ZERO;
    BigInteger highest = lowest.add(BigInteger.TWO.pow(to.bits())).subtract(BigInteger.ONE);
    if (!Double.isFinite(number)) {
      return Double.isNaN(number) ? BigInteger.ZERO : number > 0 ? highest : lowest;
    }
    return new BigDecimal(number).toBigInteger().max(lowest).min(highest);
  }

  /** The nearest number of a dtype, halves to even. */
  private static double rounded(BigDecimal exact, DType dtype) {
    if (dtype.bits() == 64) {
      return exact.doubleValue();
    }
    if (dtype.bits() == 32) {
      return exact.floatValue();
    }
    boolean brain = dtype.code() == TypeCode.BFLOAT;
    boolean bytes = dtype.isFloat8();
    boolean finite = dtype.equals(DType.FLOAT8_E4M3FN);
    int fraction = brain ? 7 : finite ? 3 : bytes ? 2 : 10;
    int least = brain ? -126 : finite ? -6 : -14;
    // What this rounds up to a power of two is rounded to the same one again.
    double magnitude = exact.abs().doubleValue();
    int exponent = Math.max(least, Math.getExponent(magnitude));
    BigDecimal step = new BigDecimal(Math.scalb(1.0, exponent - fraction));
    double result =
        exact.divide(step).setScale(0, RoundingMode.HALF_EVEN).multiply(step).doubleValue();
    if (finite && Math.abs(result) > 448) {
      return Double.NaN;
    }
    double beyond = brain ? 0x1p128 : 0x1p16;
    return Math.abs(result) >= beyond ? Math.copySign(Double.POSITIVE_INFINITY, result) : result;
  }

  /** A number that stands for its bits: Double or BigInteger. */
  private static Object value(DType dtype, long bits) {
    if (dtype.equals(DType.FLOAT64)) {
      return Double.longBitsToDouble(bits);
    } else if (dtype.equals(DType.FLOAT32)) {
      return (double) Float.intBitsToFloat((int) bits);
    } else if (dtype.equals(DType.FLOAT16)) {
      return (double) Float.float16ToFloat((short) bits);
    } else if (dtype.isFloat8()) {
      return (double) Float8.of(dtype).orElseThrow().toFloat((byte) bits);
    } else if (dtype.code() == TypeCode.BFLOAT) {
      return (double) Float.intBitsToFloat((int) bits << 16);
    }
    int drop = Long.SIZE - dtype.bits();
    BigInteger signed = BigInteger.valueOf(bits << drop >> drop);
    if (dtype.code() == TypeCode.BOOL) {
      return (byte) bits == 0 ? BigInteger.ZERO : BigInteger.ONE;
    }
    return dtype.code() == TypeCode.UINT && signed.signum() < 0
        ? signed.add(BigInteger.TWO.pow(dtype.bits()))
        : signed;
  }

  private static long place(Tensor tensor, int index) {
    int bytes = tensor.dtype().elementByteSize();
    return tensor.byteOffset() + index * tensor.strides()[0] * bytes;
  }

  private static MemorySegment memory(Tensor tensor) {
    return HostDevice.segmentOf(tensor.storage().memory());
  }

  private static void put(Tensor tensor, int index, long bits) {
    long at = place(tensor, index);
    switch (tensor.dtype().elementByteSize()) {
      case 1 -> memory(tensor).set(ValueLayout.JAVA_BYTE, at, (byte) bits);
      case 2 -> memory(tensor).set(ValueLayout.JAVA_SHORT_UNALIGNED, at, (short) bits);
      case 4 -> memory(tensor).set(ValueLayout.JAVA_INT_UNALIGNED, at, (int) bits);
      default -> memory(tensor).set(ValueLayout.JAVA_LONG_UNALIGNED, at, bits);
    }
  }

  private static long get(Tensor tensor, int index) {
    long at = place(tensor, index);
    return switch (tensor.dtype().elementByteSize()) {
      case 1 -> memory(tensor).get(ValueLayout.JAVA_BYTE, at);
      case 2 -> memory(tensor).get(ValueLayout.JAVA_SHORT_UNALIGNED, at);
      case 4 -> memory(tensor).get(ValueLayout.JAVA_INT_UNALIGNED, at);
      default -> memory(tensor).get(ValueLayout.JAVA_LONG_UNALIGNED, at);
    };
  }
}
