package org.relaxvm.backendcpu.jit.x64;

import org.relaxvm.backendcpu.jit.lir.Op;
import org.relaxvm.backendcpu.jit.lir.Type;

/** Which operations can be emitted for which types. */
final class Support {
  private Support() {}

  /** Whether a value of a type fits a register. */
  static boolean fits(X64Target target, Type type) {
    return type.totalBits() <= target.vectorBits();
  }

  static boolean of(X64Target target, Op op, Type result, Type operand) {
    if (!fits(target, result) || !fits(target, operand)) {
      return false;
    }
    boolean isSame = result.equals(operand);
    return switch (op) {
      case MOVE, AND, OR, XOR, AND_NOT -> isSame;
      case ADD, SUB, MUL, MIN, MAX, NEG, ABS -> isSame && !result.isMask();
      case DIV -> isSame && (result.isWord() || result.isFloat());
      case REM, UDIV, UREM -> isSame && result.isWord();
      case UMIN, UMAX -> isSame && (result.isWord() || result.isInt());
      case NOT -> isSame && !result.isFloat();
      case SHL, SHR, SAR -> isShift(target, result, operand);
      case SCALE -> isSame && result.isFloat() && target.isWide();
      case SQRT, FLOOR, CEIL, TRUNC, NEAREST, FMA, FNMA -> isSame && result.isFloat();
      case BLEND -> isSame && (result.isInt() || result.isFloat());
      case SELECT -> isSame && (result.isWord() || isOneFloat(result));
      case SIGN8, SIGN16, SIGN32, ZERO8, ZERO16, ZERO32 -> isSame && result.isWord();
      case TO_INT ->
          (result.isWord() && isOneFloat(operand))
              || (result.isInt()
                  && operand.isFloat()
                  && result.lanes() == operand.lanes()
                  && (result.bits() == operand.bits() || result.bits() == 32));
      case TO_FLOAT, UNSIGNED_TO_FLOAT ->
          (isOneFloat(result) && operand.isWord())
              || (result.isFloat()
                  && operand.isInt()
                  && result.lanes() == operand.lanes()
                  && operand.bits() >= 32
                  && result.bits() >= operand.bits());
      case WIDEN ->
          result.lanes() == operand.lanes()
              && result.bits() > operand.bits()
              && ((result.isFloat() && operand.isFloat()) || (result.isInt() && operand.isInt()));
      case UNSIGNED_WIDEN ->
          result.lanes() == operand.lanes()
              && result.bits() > operand.bits()
              && result.isInt()
              && operand.isInt();
      case NARROW ->
          result.lanes() == operand.lanes()
              && result.bits() < operand.bits()
              && ((result.isFloat() && operand.isFloat()) || (result.isInt() && operand.isInt()));
      case FROM_HALF -> isFloat32(result) && isHalf(operand, result.lanes());
      case TO_HALF -> isFloat32(operand) && isHalf(result, operand.lanes());
      case REINTERPRET ->
          result.totalBits() == operand.totalBits()
              && (result.isInt() || result.isFloat())
              && (operand.isInt() || operand.isFloat());
      case SPLAT ->
          (result.isInt() && operand.isWord())
              || (result.isFloat() && isOneFloat(operand) && operand.bits() == result.bits());
      case TO_WORD -> result.isWord() && (operand.isInt() || isOneFloat(operand));
      case FROM_WORD -> isOneFloat(result) && operand.isWord();
      case LOW_HALF, HIGH_HALF ->
          result.kind() == operand.kind()
              && !result.isWord()
              && result.bits() == operand.bits()
              && 2 * result.lanes() == operand.lanes();
      case JOIN ->
          result.kind() == operand.kind()
              && !result.isWord()
              && result.bits() == operand.bits()
              && result.lanes() == 2 * operand.lanes();
      case INTERLEAVE_LOW, INTERLEAVE_HIGH -> isSame && result.isInt() && result.totalBits() >= 128;
      case EVEN_BLOCKS, ODD_BLOCKS -> isSame && result.isInt() && result.totalBits() >= 256;
      case FIRST_LANES -> result.isMask() && operand.isWord();
      case MASK_BITS -> result.isWord() && operand.isMask();
      case RESIZE -> result.isMask() && operand.isMask() && result.lanes() == operand.lanes();
    };
  }

  private static boolean isShift(X64Target target, Type result, Type by) {
    if (result.isWord()) {
      return by.isWord();
    }
    if (!result.isInt()) {
      return false;
    }
    return by.isWord() || (by.equals(result) && (target.isWide() || result.bits() > 8));
  }

  private static boolean isOneFloat(Type type) {
    return type.isFloat() && type.lanes() == 1;
  }

  private static boolean isFloat32(Type type) {
    return type.isFloat() && type.bits() == 32;
  }

  /** Whether a type holds as many float16. */
  private static boolean isHalf(Type type, int lanes) {
    return type.isInt() && type.bits() == 16 && type.lanes() == lanes;
  }
}
