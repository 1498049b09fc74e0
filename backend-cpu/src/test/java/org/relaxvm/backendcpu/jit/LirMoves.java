package org.relaxvm.backendcpu.jit;

import java.util.Arrays;
import org.relaxvm.backendcpu.jit.lir.Op;
import org.relaxvm.backendcpu.jit.lir.Type;

/** Operations that move bits between lanes and words. */
final class LirMoves {
  private LirMoves() {}

  static long[] compute(Op op, Type result, Type from, long[] a) {
    int lanes = result.lanes();
    return switch (op) {
      case REINTERPRET -> {
        boolean isVector = !result.isWord() && !from.isWord() && !result.isMask() && !from.isMask();
        require(isVector && result.totalBits() == from.totalBits(), op, result, from);
        yield regrouped(result, from, a);
      }
      case SPLAT -> {
        boolean isFloat = from.isFloat() && from.lanes() == 1 && from.bits() == result.bits();
        require(result.isFloat() ? isFloat : result.isInt() && from.isWord(), op, result, from);
        long[] all = new long[lanes];
        Arrays.fill(all, LirArithmetic.low(a[0], result.bits()));
        yield all;
      }
      case TO_WORD -> {
        require(
            result.isWord() && (from.isInt() || (from.isFloat() && from.lanes() == 1)),
            op,
            result,
            from);
        yield new long[] {from.isInt() ? LirArithmetic.signed(a[0], from.bits()) : a[0]};
      }
      case FROM_WORD -> {
        require(from.isWord() && result.isFloat() && lanes == 1, op, result, from);
        yield new long[] {LirArithmetic.low(a[0], result.bits())};
      }
      case LOW_HALF, HIGH_HALF -> {
        require(from.withLanes(from.lanes() / 2).equals(result), op, result, from);
        yield Arrays.copyOfRange(
            a, op == Op.LOW_HALF ? 0 : lanes, op == Op.LOW_HALF ? lanes : 2 * lanes);
      }
      case FIRST_LANES -> {
        require(result.isMask() && from.isWord(), op, result, from);
        require(a[0] >= 0 && a[0] <= lanes, op + " " + a[0], result, from);
        long[] mask = new long[lanes];
        Arrays.fill(mask, 0, (int) a[0], 1);
        yield mask;
      }
      case MASK_BITS -> {
        require(result.isWord() && from.isMask(), op, result, from);
        long bits = 0;
        for (int i = 0; i < from.lanes(); i++) {
          bits |= a[i] << i;
        }
        yield new long[] {bits};
      }
      default -> throw new IllegalStateException("no move: " + op);
    };
  }

  static long[] join(Type result, Type[] types, long[][] args) {
    boolean isHalf = types[0].withLanes(2 * types[0].lanes()).equals(result);
    require(isHalf && types[0].equals(types[1]), Op.JOIN, result, types);
    long[] lanes = Arrays.copyOf(args[0], result.lanes());
    System.arraycopy(args[1], 0, lanes, args[0].length, args[1].length);
    return lanes;
  }

  static long[] interleave(boolean isHigh, Type result, Type[] types, long[][] args) {
    boolean isSame = types[0].equals(result) && types[1].equals(result);
    require(
        isSame && result.isInt() && result.totalBits() >= 128, Op.INTERLEAVE_LOW, result, types);
    int block = 128 / result.bits();
    long[] lanes = new long[result.lanes()];
    for (int i = 0; i < lanes.length; i++) {
      int inBlock = i % block;
      int from = i - inBlock + inBlock / 2 + (isHigh ? block / 2 : 0);
      lanes[i] = args[inBlock % 2][from];
    }
    return lanes;
  }

  static long[] blocks(boolean isOdd, Type result, Type[] types, long[][] args) {
    boolean isSame = types[0].equals(result) && types[1].equals(result);
    require(isSame && result.isInt() && result.totalBits() >= 256, Op.EVEN_BLOCKS, result, types);
    int block = 128 / result.bits();
    int blocks = result.lanes() / block;
    long[] lanes = new long[result.lanes()];
    for (int i = 0; i < lanes.length; i++) {
      int number = i / block;
      int from = 2 * (number % (blocks / 2)) + (isOdd ? 1 : 0);
      lanes[i] = args[number / (blocks / 2)][from * block + i % block];
    }
    return lanes;
  }

  private static void require(boolean holds, Object op, Type result, Type... types) {
    LirArithmetic.require(holds, op, result, types);
  }

  /** The same bits, the first lane lowest. */
  private static long[] regrouped(Type result, Type from, long[] a) {
    long[] lanes = new long[result.lanes()];
    for (int bit = 0; bit < result.totalBits(); bit += Byte.SIZE) {
      long part = a[bit / from.bits()] >>> (bit % from.bits()) & 0xFF;
      lanes[bit / result.bits()] |= part << (bit % result.bits());
    }
    return lanes;
  }
}
