package org.relaxvm.backendcpu.jit.x64;

import static org.relaxvm.backendcpu.jit.x64.Locations.RAX;
import static org.relaxvm.backendcpu.jit.x64.Locations.RDX;
import static org.relaxvm.machine.x64.Instruction.*;

import org.relaxvm.backendcpu.jit.lir.Operand;
import org.relaxvm.backendcpu.jit.lir.Operand.Const;
import org.relaxvm.backendcpu.jit.lir.Operand.Reg;
import org.relaxvm.backendcpu.jit.lir.Type;
import org.relaxvm.machine.x64.Condition;
import org.relaxvm.machine.x64.Gp;
import org.relaxvm.machine.x64.Immediate;
import org.relaxvm.machine.x64.Instruction;
import org.relaxvm.machine.x64.Label;
import org.relaxvm.machine.x64.Vector;

/**
 * Conversions of integers to floats. Where AVX2 has no instruction, the halves of an integer become
 * the low bits of floats with known exponents, whose sum is rounded once.
 */
final class IntegersToFloats {
  private static final long TWO_52 = 0x4330_0000_0000_0000L;
  private static final long TWO_84 = 0x4530_0000_0000_0000L;
  private static final int TWO_23 = 0x4B00_0000;
  private static final int TWO_39 = 0x5300_0000;

  private final Locations at;

  IntegersToFloats(Locations at) {
    this.at = at;
  }

  void convert(Reg result, Operand a, boolean isSigned) {
    Type type = result.type();
    if (a.type().isWord()) {
      if (isSigned || at.isWide()) {
        word(result, a, isSigned);
      } else {
        unsignedWord(result, a);
      }
      return;
    }
    boolean isDouble = type.bits() == 64;
    boolean isLong = a.type().bits() == 64;
    Vector from = at.register(a, 0);
    Vector to = at.target(result);
    if (isSigned && !isLong) {
      at.emit(isDouble ? VCVTDQ2PD : VCVTDQ2PS, to, from);
    } else if (at.isWide()) {
      Instruction convert =
          isLong ? (isSigned ? VCVTQQ2PD : VCVTUQQ2PD) : (isDouble ? VCVTUDQ2PD : VCVTUDQ2PS);
      at.emit(convert, to, from);
    } else if (isLong) {
      longs(result, from, isSigned);
      return;
    } else if (isDouble) {
      unsignedToDouble(to, from, type);
    } else {
      unsignedToFloat(result, from);
      return;
    }
    at.finish(result, to);
  }

  private org.relaxvm.machine.x64.Operand longs(int lanes, long bits) {
    return at.fullOperand(new Const(Type.ints(64, lanes), bits));
  }

  private org.relaxvm.machine.x64.Operand ints(int lanes, int bits) {
    return at.fullOperand(new Const(Type.ints(32, lanes), bits));
  }

  private void unsignedToDouble(Vector to, Vector from, Type type) {
    at.emit(VPMOVZXDQ, to, from);
    at.emit(VPOR, to, to, longs(type.lanes(), TWO_52));
    at.emit(VSUBPD, to, to, longs(type.lanes(), TWO_52));
  }

  private void unsignedToFloat(Reg result, Vector from) {
    int lanes = result.type().lanes();
    Vector high = at.scratch(1, result.type());
    Vector low = at.scratch(2, result.type());
    at.emit(VPSRLD, high, from, Immediate.of(16));
    at.emit(VPOR, high, high, ints(lanes, TWO_39));
    // The upper half of each lane becomes the one of 2^23.
    at.emit(VPSLLD, low, from, Immediate.of(16));
    at.emit(VPSRLD, low, low, Immediate.of(16));
    at.emit(VPOR, low, low, ints(lanes, TWO_23));
    float known = Float.intBitsToFloat(TWO_39) + Float.intBitsToFloat(TWO_23);
    at.emit(VSUBPS, high, high, ints(lanes, Float.floatToRawIntBits(known)));
    at.emit(VADDPS, low, low, high);
    at.finish(result, low);
  }

  private void longs(Reg result, Vector from, boolean isSigned) {
    int lanes = result.type().lanes();
    Vector high = at.scratch(1, result.type());
    Vector low = at.scratch(2, result.type());
    // A sign bit that is inverted stands for 2^63 less.
    long exponent = isSigned ? TWO_84 | 1L << 31 : TWO_84;
    at.emit(VPSRLQ, high, from, Immediate.of(32));
    at.emit(VPXOR, high, high, longs(lanes, exponent));
    at.emit(VPSLLQ, low, from, Immediate.of(32));
    at.emit(VPSRLQ, low, low, Immediate.of(32));
    at.emit(VPOR, low, low, longs(lanes, TWO_52));
    double known =
        Double.longBitsToDouble(TWO_84) + (isSigned ? 0x1p63 : 0) + Double.longBitsToDouble(TWO_52);
    at.emit(VSUBPD, high, high, longs(lanes, Double.doubleToRawLongBits(known)));
    at.emit(VADDPD, low, low, high);
    at.finish(result, low);
  }

  private void word(Reg result, Operand a, boolean isSigned) {
    Gp word = at.word(a, RAX);
    Vector to = at.target(result);
    convertWord(to, word, result.type(), isSigned);
    at.finish(result, to);
  }

  private void convertWord(Vector to, Gp word, Type type, boolean isSigned) {
    Instruction convert =
        type.bits() == 32
            ? (isSigned ? VCVTSI2SS : VCVTUSI2SS)
            : (isSigned ? VCVTSI2SD : VCVTUSI2SD);
    // The instruction keeps the upper bits; clearing them avoids a wait for their last definition.
    at.emit(to.number() < 16 ? VPXOR : VPXORD, to, to, to);
    at.emit(convert, to, to, word);
  }

  /** Words of 2^63 and above are halved, so that the lowest bit still counts, and doubled. */
  private void unsignedWord(Reg result, Operand a) {
    Type type = result.type();
    Vector to = at.target(result);
    at.moveWord(RAX, at.word(a, RAX));
    Label isLarge = at.assembler().label();
    Label end = at.assembler().label();
    at.emit(TEST, RAX, RAX);
    at.assembler().jump(Condition.S, isLarge);
    convertWord(to, RAX, type, true);
    at.assembler().jump(end);
    at.assembler().bind(isLarge);
    at.emit(MOV, RDX.low32(), RAX.low32());
    at.emit(Instruction.SHR, RAX, Immediate.of(1));
    at.emit(Instruction.AND, RDX.low32(), Immediate.of(1));
    at.emit(Instruction.OR, RAX, RDX);
    convertWord(to, RAX, type, true);
    at.emit(type.bits() == 32 ? VADDSS : VADDSD, to, to, to);
    at.assembler().bind(end);
    at.finish(result, to);
  }
}
