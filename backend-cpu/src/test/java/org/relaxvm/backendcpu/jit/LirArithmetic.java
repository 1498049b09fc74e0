package org.relaxvm.backendcpu.jit;

import java.util.Arrays;
import java.util.stream.LongStream;
import org.relaxvm.backendcpu.jit.lir.Op;
import org.relaxvm.backendcpu.jit.lir.Relation;
import org.relaxvm.backendcpu.jit.lir.Type;

/** Operations on arrays of lanes, as {@link LirInterpreter} holds them. */
final class LirArithmetic {
  /** What an undefined lane becomes: nothing that code could mean. */
  private static final long UNDEFINED = 0xA5A5_5A5A_C3C3_3C3CL;

  private LirArithmetic() {}

  /** The low bits, without extension. */
  static long low(long value, int bits) {
    return bits == 64 ? value : value & ((1L << bits) - 1);
  }

  /** The low bits, extended with their sign. */
  static long signed(long value, int bits) {
    return value << (64 - bits) >> (64 - bits);
  }

  /** Whether a relation of words holds. */
  static boolean holds(Relation relation, long a, long b) {
    int unsigned = Long.compareUnsigned(a, b);
    return switch (relation) {
      case EQ -> a == b;
      case NE -> a != b;
      case LT -> a < b;
      case LE -> a <= b;
      case GT -> a > b;
      case GE -> a >= b;
      case ULT -> unsigned < 0;
      case ULE -> unsigned <= 0;
      case UGT -> unsigned > 0;
      case UGE -> unsigned >= 0;
    };
  }

  private static boolean holds(Relation relation, double a, double b) {
    return switch (relation) {
      case EQ -> a == b;
      case NE -> a != b;
      case LT -> a < b;
      case LE -> a <= b;
      case GT -> a > b;
      case GE -> a >= b;
      default -> throw new IllegalStateException("floats cannot be compared by " + relation);
    };
  }

  static long[] compare(
      Relation relation, Type result, Type type, long[] a, Type otherType, long[] b) {
    require(type.equals(otherType) && !type.isMask(), relation, result, type, otherType);
    boolean isWord = type.isWord() || (type.isFloat() && type.lanes() == 1);
    require(
        isWord ? result.isWord() : result.equals(type.maskType()), relation, result, type, type);
    long[] lanes = new long[type.lanes()];
    for (int i = 0; i < lanes.length; i++) {
      boolean holds =
          type.isFloat()
              ? holds(relation, toDouble(a[i], type), toDouble(b[i], type))
              : relation.name().startsWith("U")
                  ? holds(relation, a[i], b[i])
                  : holds(relation, signed(a[i], type.bits()), signed(b[i], type.bits()));
      lanes[i] = holds ? 1 : 0;
    }
    return lanes;
  }

  static long[] compute(Op op, Type result, Type[] types, long[][] args) {
    return switch (op) {
      case SHL, SHR, SAR -> {
        boolean isSame = types[1].equals(result) || types[1].isWord();
        require(types[0].equals(result) && isSame && isInteger(result), op, result, types);
        yield shift(op, result, args[0], args[1]);
      }
      case BLEND -> {
        boolean isSame = types[1].equals(result) && types[2].equals(result);
        boolean isMask = types[0].isMask() && types[0].equals(result.maskType());
        require(isSame && isMask, op, result, types);
        yield select(args);
      }
      case SELECT -> {
        boolean isSame = types[1].equals(result) && types[2].equals(result);
        boolean isScalar = result.isWord() || (result.isFloat() && result.lanes() == 1);
        require(isSame && types[0].isWord() && isScalar, op, result, types);
        yield args[0][0] != 0 ? args[1] : args[2];
      }
      case TO_INT,
          TO_FLOAT,
          UNSIGNED_TO_FLOAT,
          WIDEN,
          UNSIGNED_WIDEN,
          NARROW,
          FROM_HALF,
          TO_HALF,
          RESIZE ->
          convert(op, result, types[0], args[0]);
      case REINTERPRET, SPLAT, TO_WORD, FROM_WORD, LOW_HALF, HIGH_HALF, FIRST_LANES, MASK_BITS ->
          LirMoves.compute(op, result, types[0], args[0]);
      case JOIN -> LirMoves.join(result, types, args);
      case EVEN_BLOCKS, ODD_BLOCKS -> LirMoves.blocks(op == Op.ODD_BLOCKS, result, types, args);
      case INTERLEAVE_LOW, INTERLEAVE_HIGH ->
          LirMoves.interleave(op == Op.INTERLEAVE_HIGH, result, types, args);
      default -> {
        for (Type type : types) {
          require(type.equals(result), op, result, types);
        }
        yield result.isFloat() && !isBitwise(op)
            ? floats(op, result, args)
            : ints(op, result, args);
      }
    };
  }

  static void require(boolean holds, Object op, Type result, Type... types) {
    if (!holds) {
      throw new IllegalStateException(
          "%s of %s cannot be %s".formatted(op, Arrays.toString(types), result));
    }
  }

  private static boolean isInteger(Type type) {
    return type.isInt() || type.isWord();
  }

  private static boolean isBitwise(Op op) {
    return switch (op) {
      case MOVE, AND, OR, XOR, AND_NOT -> true;
      default -> false;
    };
  }

  private static long[] shift(Op op, Type type, long[] a, long[] by) {
    long[] lanes = new long[a.length];
    int bits = type.bits();
    for (int i = 0; i < lanes.length; i++) {
      long count = by.length == 1 ? by[0] : by[i];
      long value =
          switch (op) {
            case SHL -> a[i] << count;
            case SHR -> a[i] >>> count;
            default -> signed(a[i], bits) >> count;
          };
      lanes[i] = low(count < 0 || count >= bits ? UNDEFINED : value, bits);
    }
    return lanes;
  }

  private static long[] select(long[][] args) {
    long[] lanes = new long[args[1].length];
    for (int i = 0; i < lanes.length; i++) {
      lanes[i] = args[0][i] != 0 ? args[1][i] : args[2][i];
    }
    return lanes;
  }

  private static long[] ints(Op op, Type type, long[][] args) {
    long[] lanes = new long[type.lanes()];
    int bits = type.isMask() ? 1 : type.bits();
    for (int i = 0; i < lanes.length; i++) {
      long b = args.length > 1 ? args[1][i] : 0;
      require(!type.isMask() || isOfMasks(op), op, type, type);
      lanes[i] = low(integer(op, type, bits, args[0][i], b), bits);
    }
    return lanes;
  }

  private static boolean isOfMasks(Op op) {
    return isBitwise(op) || op == Op.NOT;
  }

  private static long integer(Op op, Type type, int bits, long a, long b) {
    long x = signed(a, bits);
    long y = signed(b, bits);
    return switch (op) {
      case MOVE -> a;
      case ADD -> a + b;
      case SUB -> a - b;
      case MUL -> a * b;
      case DIV -> {
        requireQuotient(op, type, x, y);
        yield x / y;
      }
      case REM -> {
        requireQuotient(op, type, x, y);
        yield x % y;
      }
      case UDIV -> {
        require(type.isWord() && b != 0, op, type, type);
        yield Long.divideUnsigned(a, b);
      }
      case UREM -> {
        require(type.isWord() && b != 0, op, type, type);
        yield Long.remainderUnsigned(a, b);
      }
      case MIN -> Math.min(x, y);
      case MAX -> Math.max(x, y);
      case UMIN -> Long.compareUnsigned(a, b) <= 0 ? a : b;
      case UMAX -> Long.compareUnsigned(a, b) >= 0 ? a : b;
      case AND -> a & b;
      case OR -> a | b;
      case XOR -> a ^ b;
      case AND_NOT -> a & ~b;
      case NOT -> ~a;
      case NEG -> -a;
      case ABS -> Math.abs(x);
      case SIGN8, SIGN16, SIGN32, ZERO8, ZERO16, ZERO32 -> {
        require(type.isWord(), op, type, type);
        yield extended(op, a);
      }
      default -> throw new IllegalStateException("no operation of integers: " + op);
    };
  }

  private static void requireQuotient(Op op, Type type, long x, long y) {
    if (!type.isWord() || y == 0 || (x == Long.MIN_VALUE && y == -1)) {
      throw new IllegalStateException("%s of %s: %d, %d".formatted(op, type, x, y));
    }
  }

  private static long extended(Op op, long a) {
    return switch (op) {
      case SIGN8 -> (byte) a;
      case SIGN16 -> (short) a;
      case SIGN32 -> (int) a;
      case ZERO8 -> a & 0xFF;
      case ZERO16 -> a & 0xFFFF;
      default -> a & 0xFFFF_FFFFL;
    };
  }

  private static long[] floats(Op op, Type type, long[][] args) {
    long[] lanes = new long[type.lanes()];
    for (int i = 0; i < lanes.length; i++) {
      long a = args[0][i];
      long b = args.length > 1 ? args[1][i] : 0;
      long c = args.length > 2 ? args[2][i] : 0;
      lanes[i] =
          type.bits() == 32
              ? bits(float32(op, toFloat(a), toFloat(b), toFloat(c)))
              : Double.doubleToRawLongBits(float64(op, toDouble(a), toDouble(b), toDouble(c)));
    }
    return lanes;
  }

  private static float float32(Op op, float a, float b, float c) {
    return switch (op) {
      case ADD -> a + b;
      case SUB -> a - b;
      case MUL -> a * b;
      case DIV -> a / b;
      case MIN -> Math.min(a, b);
      case MAX -> Math.max(a, b);
      case NEG -> -a;
      case ABS -> Math.abs(a);
      case FMA -> Math.fma(a, b, c);
      case FNMA -> Math.fma(-a, b, c);
      case SCALE -> (float) float64(op, a, Math.clamp(b, -500, 500), c);
      default -> (float) float64(op, a, b, c);
    };
  }

  private static double float64(Op op, double a, double b, double c) {
    return switch (op) {
      case ADD -> a + b;
      case SUB -> a - b;
      case MUL -> a * b;
      case DIV -> a / b;
      case MIN -> Math.min(a, b);
      case MAX -> Math.max(a, b);
      case NEG -> -a;
      case ABS -> Math.abs(a);
      case SQRT -> Math.sqrt(a);
      case FLOOR -> Math.floor(a);
      case CEIL -> Math.ceil(a);
      case TRUNC -> a < 0 ? Math.ceil(a) : Math.floor(a);
      case NEAREST -> Math.rint(a);
      case FMA -> Math.fma(a, b, c);
      case FNMA -> Math.fma(-a, b, c);
      case SCALE -> Double.isNaN(b) ? b : Math.scalb(a, (int) b);
      default -> throw new IllegalStateException("no operation of floats: " + op);
    };
  }

  private static long[] convert(Op op, Type result, Type from, long[] a) {
    boolean isOneWord = result.isWord() || from.isWord();
    require(result.lanes() == from.lanes(), op, result, from);
    boolean isRight =
        switch (op) {
          case TO_INT ->
              from.isFloat()
                  && (result.isWord()
                      || (result.isInt() && result.bits() == from.bits())
                      || (result.isInt() && result.bits() == 32));
          case TO_FLOAT, UNSIGNED_TO_FLOAT ->
              result.isFloat()
                  && (from.isWord()
                      || (from.isInt() && from.bits() == result.bits())
                      || (from.isInt() && from.bits() == 32));
          case WIDEN ->
              !isOneWord
                  && result.bits() > from.bits()
                  && result.kind() == from.kind()
                  && !from.isMask();
          case UNSIGNED_WIDEN -> result.isInt() && from.isInt() && result.bits() > from.bits();
          case NARROW ->
              !isOneWord
                  && result.bits() < from.bits()
                  && result.kind() == from.kind()
                  && !from.isMask();
          case FROM_HALF -> isHalf(from) && result.isFloat() && result.bits() == 32;
          case TO_HALF -> isHalf(result) && from.isFloat() && from.bits() == 32;
          case RESIZE -> result.isMask() && from.isMask();
          default -> throw new IllegalStateException("no conversion: " + op);
        };
    require(isRight, op, result, from);
    return LongStream.of(a).map(lane -> converted(op, result, from, lane)).toArray();
  }

  /** Whether a type holds float16; one of them may be in a word. */
  private static boolean isHalf(Type type) {
    return type.isWord() || (type.isInt() && type.bits() == 16);
  }

  private static long converted(Op op, Type result, Type from, long a) {
    return switch (op) {
      case TO_INT -> low(truncated(toDouble(a, from), result.bits()), result.bits());
      case TO_FLOAT -> fromInteger(result, signed(a, from.bits()));
      case UNSIGNED_TO_FLOAT -> fromUnsigned(result, a);
      case WIDEN ->
          from.isFloat()
              ? Double.doubleToRawLongBits(toFloat(a))
              : low(signed(a, from.bits()), result.bits());
      case NARROW -> from.isFloat() ? bits((float) toDouble(a)) : low(a, result.bits());
      case FROM_HALF -> bits(Float.float16ToFloat((short) a));
      case TO_HALF -> low(Float.floatToFloat16(toFloat(a)), 16);
      default -> a;
    };
  }

  private static long truncated(double x, int bits) {
    double limit = bits == 32 ? 0x1p31 : 0x1p63;
    boolean fits = bits == 32 ? x > -limit - 1 && x < limit : x >= -limit && x < limit;
    return fits ? (long) x : 1L << (bits - 1);
  }

  private static long fromInteger(Type result, long a) {
    return result.bits() == 32 ? bits((float) a) : Double.doubleToRawLongBits((double) a);
  }

  private static long fromUnsigned(Type result, long a) {
    if (a >= 0) {
      return fromInteger(result, a);
    }
    // Half of it, with a last bit that stands for all that were lost.
    long half = (a >>> 1) | (a & 1);
    return result.bits() == 32
        ? bits((float) half * 2)
        : Double.doubleToRawLongBits((double) half * 2);
  }

  private static double toDouble(long bits, Type type) {
    return type.bits() == 32 ? toFloat(bits) : toDouble(bits);
  }

  private static double toDouble(long bits) {
    return Double.longBitsToDouble(bits);
  }

  private static float toFloat(long bits) {
    return Float.intBitsToFloat((int) bits);
  }

  private static long bits(float value) {
    return Float.floatToRawIntBits(value) & 0xFFFF_FFFFL;
  }
}
