package org.relaxvm.backendcpu.jit.functions;

import org.relaxvm.api.DType;
import org.relaxvm.backendcpu.jit.lir.LirWriter;
import org.relaxvm.backendcpu.jit.lir.Op;
import org.relaxvm.backendcpu.jit.lir.Operand;
import org.relaxvm.backendcpu.jit.lir.Operand.Reg;
import org.relaxvm.backendcpu.jit.lir.Relation;
import org.relaxvm.backendcpu.jit.lir.Target;
import org.relaxvm.backendcpu.jit.lir.Type;
import org.relaxvm.backendcpu.jit.lir.UnsupportedCodeException;

/**
 * Elements of float16, bfloat16, float8_e4m3fn and float8_e5m2, and the float32 that they stand
 * for. Immutable and thread-safe; a {@link LirWriter} is not.
 */
public final class SmallFloats {
  private static final int SIGN = 0x8000_0000;
  private static final int INFINITY = 0x7F80_0000;

  private final Target target;

  /**
   * Creates writers of conversions.
   *
   * @param target decides which instructions are used
   */
  public SmallFloats(Target target) {
    this.target = target;
  }

  /** Whether a dtype is one of those that this class converts. */
  public static boolean isSmall(DType dtype) {
    return dtype.isFloat() && dtype.bits() < 32;
  }

  /**
   * The type that holds elements of a dtype here: a word if there is one lane, lanes of 16 bits for
   * float16, of 32 bits for others. Elements are loaded into it without a sign.
   */
  public static Type codeType(DType dtype, int lanes) {
    if (lanes == 1) {
      return Type.WORD;
    }
    return Type.ints(dtype.equals(DType.FLOAT16) ? 16 : 32, lanes);
  }

  /**
   * Appends the conversion of elements to float32, which is exact.
   *
   * @param codes the bits of elements, of {@link #codeType}; higher bits are 0
   */
  public Reg decode(LirWriter writer, DType dtype, int lanes, Operand codes) {
    Type result = Type.floats(32, lanes);
    if (dtype.equals(DType.FLOAT16) && target.supports(Op.FROM_HALF, result, codes.type())) {
      return writer.compute(Op.FROM_HALF, result, codes);
    }
    if (dtype.equals(DType.FLOAT16) && lanes > 1) {
      codes = writer.compute(Op.UNSIGNED_WIDEN, result.asInts(), codes);
    }
    IntWriter ints = new IntWriter(writer, target, codes.type());
    if (dtype.equals(DType.BFLOAT16)) {
      return toFloats(ints, ints.shift(Op.SHL, codes, 16), lanes);
    }
    int bits = dtype.bits();
    int fraction = fractionBits(dtype);
    Reg magnitude = ints.and(codes, ints.of((1L << (bits - 1)) - 1));
    Reg sign = ints.shift(Op.SHL, ints.and(codes, ints.of(1L << (bits - 1))), 32 - bits);
    // Exponents are less by the difference of the biases, which the product adds: it is exact for
    // subnormal numbers, too.
    Reg shifted = toFloats(ints, ints.shift(Op.SHL, magnitude, 23 - fraction), lanes);
    LaneWriter floats = new LaneWriter(writer, target, result);
    Reg scaled = floats.mul(shifted, floats.of(Math.scalb(1.0, 127 - bias(dtype))));
    Reg finite = toInts(ints, scaled);
    Operand special =
        dtype.equals(DType.FLOAT8_E4M3FN)
            ? ints.of(0x7FC0_0000)
            : ints.or(ints.shift(Op.SHL, magnitude, 23 - fraction), ints.of(INFINITY));
    Operand largest = ints.of(largest(dtype));
    Reg value = ints.choose(Relation.GT, magnitude, largest, special, finite);
    return toFloats(ints, ints.or(value, sign), lanes);
  }

  /**
   * Appends the conversion of float32 to the nearest elements, ties to even. What is too large
   * becomes infinite, or NaN for float8_e4m3fn; NaN stays NaN.
   *
   * @return of {@link #codeType}; higher bits are 0
   */
  public Reg encode(LirWriter writer, DType dtype, Operand x) {
    int lanes = x.type().lanes();
    Type codes = codeType(dtype, lanes);
    if (dtype.equals(DType.FLOAT16) && target.supports(Op.TO_HALF, codes, x.type())) {
      Reg half = writer.compute(Op.TO_HALF, codes, x);
      return codes.isWord() ? writer.op(Op.ZERO16, half) : half;
    }
    Type wide = lanes == 1 ? Type.WORD : Type.ints(32, lanes);
    IntWriter ints = new IntWriter(writer, target, wide);
    Reg bits = toInts(ints, x);
    Reg magnitude = ints.and(bits, ints.of(0x7FFF_FFFF));
    int shift = 32 - dtype.bits();
    Reg sign = ints.shift(Op.SHR, ints.and(bits, ints.of(SIGN & 0xFFFF_FFFFL)), shift);
    Reg code =
        dtype.equals(DType.BFLOAT16)
            ? rounded(ints, magnitude, 16)
            : small(ints, dtype, x, magnitude);
    Reg isNan = ints.compare(Relation.GT, magnitude, ints.of(INFINITY));
    code = ints.or(ints.choose(isNan, ints.of(nan(dtype)), code), sign);
    return codes.equals(wide) ? code : writer.compute(Op.NARROW, codes, code);
  }

  /** Appends the nearest float32 that elements of a dtype stand for. */
  public Reg round(LirWriter writer, DType dtype, Operand x) {
    return decode(writer, dtype, x.type().lanes(), encode(writer, dtype, x));
  }

  /** The bits without the lowest ones, rounded to nearest, ties to even. */
  private static Reg rounded(IntWriter ints, Reg bits, int dropped) {
    Reg last = ints.and(ints.shift(Op.SHR, bits, dropped), ints.of(1));
    Reg sum = ints.add(ints.add(bits, last), ints.of((1L << (dropped - 1)) - 1));
    return ints.shift(Op.SHR, sum, dropped);
  }

  private Reg small(IntWriter ints, DType dtype, Operand x, Reg magnitude) {
    int fraction = fractionBits(dtype);
    long difference = (long) (127 - bias(dtype)) << 23;
    Reg normal = rounded(ints, ints.sub(magnitude, ints.of(difference)), 23 - fraction);
    // In a sum with a number whose last bit is that of subnormal codes, the processor rounds.
    LaneWriter floats = new LaneWriter(ints.writer(), target, x.type());
    double rounder = Math.scalb(1.0, 24 - bias(dtype) - fraction);
    Reg sum = toInts(ints, floats.add(floats.abs(x), floats.of(rounder)));
    Reg subnormal = ints.sub(sum, ints.of(floats.of(rounder).lane(0)));
    Operand smallest = ints.of(difference + (1L << 23));
    Reg code = ints.choose(Relation.LT, magnitude, smallest, subnormal, normal);
    return ints.op(Op.MIN, code, ints.of(largest(dtype) + 1L));
  }

  private static Reg toInts(IntWriter ints, Operand x) {
    Op op = ints.type().isWord() ? Op.TO_WORD : Op.REINTERPRET;
    return ints.writer().compute(op, ints.type(), x);
  }

  private static Reg toFloats(IntWriter ints, Operand bits, int lanes) {
    Op op = ints.type().isWord() ? Op.FROM_WORD : Op.REINTERPRET;
    return ints.writer().compute(op, Type.floats(32, lanes), bits);
  }

  private static int fractionBits(DType dtype) {
    return switch (dtype) {
      case DType d when d.equals(DType.FLOAT16) -> 10;
      case DType d when d.equals(DType.FLOAT8_E4M3FN) -> 3;
      case DType d when d.equals(DType.FLOAT8_E5M2) -> 2;
      default -> throw new UnsupportedCodeException("conversion of " + dtype);
    };
  }

  private static int bias(DType dtype) {
    return dtype.equals(DType.FLOAT8_E4M3FN) ? 7 : 15;
  }

  private static int largest(DType dtype) {
    if (dtype.equals(DType.FLOAT16)) {
      return 0x7BFF;
    }
    return dtype.equals(DType.FLOAT8_E4M3FN) ? 0x7E : 0x7B;
  }

  private static int nan(DType dtype) {
    if (dtype.equals(DType.BFLOAT16)) {
      return 0x7FC0;
    }
    if (dtype.equals(DType.FLOAT16)) {
      return 0x7E00;
    }
    return dtype.equals(DType.FLOAT8_E4M3FN) ? 0x7F : 0x7E;
  }
}
