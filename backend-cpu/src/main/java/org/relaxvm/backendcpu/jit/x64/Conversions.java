package org.relaxvm.backendcpu.jit.x64;

import static org.relaxvm.backendcpu.jit.x64.Instructions.byBits;
import static org.relaxvm.backendcpu.jit.x64.Locations.RAX;
import static org.relaxvm.machine.x64.Instruction.*;

import org.relaxvm.backendcpu.jit.lir.Op;
import org.relaxvm.backendcpu.jit.lir.Operand;
import org.relaxvm.backendcpu.jit.lir.Operand.Const;
import org.relaxvm.backendcpu.jit.lir.Operand.Imm;
import org.relaxvm.backendcpu.jit.lir.Operand.Reg;
import org.relaxvm.backendcpu.jit.lir.Type;
import org.relaxvm.machine.x64.Gp;
import org.relaxvm.machine.x64.Immediate;
import org.relaxvm.machine.x64.Instruction;
import org.relaxvm.machine.x64.Vector;

/** Conversions between types of lanes, and between words and vector registers. */
final class Conversions {
  /** The rounding of VCVTPS2PH: to the nearest, ties to even. */
  private static final int NEAREST = 0;

  private final Locations at;
  private final Narrowing narrowing;
  private final IntegersToFloats integersToFloats;

  Conversions(Locations at, Narrowing narrowing) {
    this.at = at;
    this.narrowing = narrowing;
    integersToFloats = new IntegersToFloats(at);
  }

  void compute(Op op, Reg result, Operand a) {
    switch (op) {
      case TO_INT -> toInt(result, a);
      case TO_FLOAT -> integersToFloats.convert(result, a, true);
      case UNSIGNED_TO_FLOAT -> integersToFloats.convert(result, a, false);
      case WIDEN -> widen(result, a);
      case UNSIGNED_WIDEN -> extend(result, a, false);
      case NARROW -> narrow(result, a);
      case FROM_HALF -> fromHalf(result, a);
      case TO_HALF -> toHalf(result, a);
      case REINTERPRET, LOW_HALF -> reinterpret(result, a);
      case HIGH_HALF -> highHalf(result, a);
      case SPLAT -> splat(result, a);
      case TO_WORD -> toWord(result, a);
      case FROM_WORD -> fromWord(result, a);
      default -> throw new IllegalArgumentException(op + " is no conversion");
    }
  }

  private void toInt(Reg result, Operand a) {
    Type from = a.type();
    Vector value = at.register(a, 0);
    if (result.type().isWord()) {
      Gp to = at.targetWord(result, RAX);
      at.emit(from.bits() == 32 ? VCVTTSS2SI : VCVTTSD2SI, to, value);
      at.finish(result, to);
      return;
    }
    Vector to = at.target(result);
    if (from.bits() == 32) {
      at.emit(VCVTTPS2DQ, to, value);
    } else if (result.type().bits() == 32) {
      at.emit(VCVTTPD2DQ, to, value);
    } else if (at.isWide()) {
      at.emit(VCVTTPD2QQ, to, value);
    } else {
      toWords(result, value);
      return;
    }
    at.finish(result, to);
  }

  /** Converts one lane after the other, each by way of a word. */
  private void toWords(Reg result, Vector value) {
    Type type = result.type();
    Vector low = at.scratch(1, 128);
    pairToWords(low, value.low(128));
    if (type.totalBits() == 256) {
      Vector high = at.scratch(2, 128);
      at.emit(VEXTRACTF128, high, value, Immediate.of(1));
      pairToWords(high, high);
      at.emit(VINSERTI128, at.scratch(1, 256), at.scratch(1, 256), high, Immediate.of(1));
    }
    at.finish(result, at.scratch(1, type));
  }

  /** Converts two lanes. Uses rax and rdx. */
  private void pairToWords(Vector to, Vector from) {
    at.emit(VCVTTSD2SI, RAX, from);
    at.emit(VUNPCKHPD, to, from, from);
    at.emit(VCVTTSD2SI, Locations.RDX, to);
    at.emit(VMOVQ, to, RAX);
    at.emit(VPINSRQ, to, to, Locations.RDX, Immediate.of(1));
  }

  private void widen(Reg result, Operand a) {
    if (!result.type().isFloat()) {
      extend(result, a, true);
      return;
    }
    Vector from = at.register(a, 0);
    Vector to = at.target(result);
    if (result.type().lanes() == 1) {
      at.emit(VCVTSS2SD, to, from, from);
    } else {
      at.emit(VCVTPS2PD, to, from);
    }
    at.finish(result, to);
  }

  private void extend(Reg result, Operand a, boolean isSigned) {
    Vector to = at.target(result);
    at.emit(
        Instructions.extend(a.type().bits(), result.type().bits(), isSigned),
        to,
        at.register(a, 0));
    at.finish(result, to);
  }

  private void narrow(Reg result, Operand a) {
    Vector from = at.register(a, 0);
    Vector to = at.target(result);
    if (!result.type().isFloat()) {
      narrowing.narrow(to, from, a.type(), result.type().bits());
    } else if (result.type().lanes() == 1) {
      at.emit(VCVTSD2SS, to, from, from);
    } else {
      at.emit(VCVTPD2PS, to, from);
    }
    at.finish(result, to);
  }

  private void fromHalf(Reg result, Operand a) {
    Vector to = at.target(result);
    at.emit(VCVTPH2PS, to, at.register(a, 0));
    at.finish(result, to);
  }

  private void toHalf(Reg result, Operand a) {
    Vector to = at.target(result);
    at.emit(VCVTPS2PH, to, at.register(a, 0), Immediate.of(NEAREST));
    at.finish(result, to);
  }

  /** Copies the bits of the low lanes. */
  private void reinterpret(Reg result, Operand a) {
    at.finish(result, at.register(a, 0));
  }

  private void highHalf(Reg result, Operand a) {
    Type type = a.type();
    boolean isFloat = type.isFloat();
    Vector from = at.register(a, 0);
    Vector to = at.target(result);
    Immediate second = Immediate.of(1);
    switch (type.totalBits()) {
      case 512 -> at.emit(isFloat ? VEXTRACTF64X4 : VEXTRACTI64X4, to, from, second);
      case 256 -> {
        if (at.isWide()) {
          at.emit(isFloat ? VEXTRACTF32X4 : VEXTRACTI32X4, to, from, second);
        } else {
          at.emit(isFloat ? VEXTRACTF128 : VEXTRACTI128, to, from, second);
        }
      }
      case 128 -> {
        if (isFloat) {
          at.emit(VUNPCKHPD, to, from, from);
        } else {
          at.emit(VPSHUFD, to, from, Immediate.of(0xEE));
        }
      }
      case 64 -> {
        if (isFloat) {
          at.emit(VMOVSHDUP, to, from);
        } else {
          at.emit(VPSHUFD, to, from, Immediate.of(0x55));
        }
      }
      case 32 -> at.emit(VPSRLD, to, from, Immediate.of(16));
      default -> at.emit(VPSRLW, to, from, Immediate.of(8));
    }
    at.finish(result, to);
  }

  /** {@code result} has the lanes of {@code a} followed by those of {@code b}. */
  void join(Reg result, Operand a, Operand b) {
    Vector low = at.register(a, 0);
    Vector high = at.register(b, 1);
    Vector to = at.target(result);
    Immediate second = Immediate.of(1);
    switch (result.type().totalBits()) {
      case 512 -> at.emit(VINSERTI64X4, to, low.low(512), high, second);
      case 256 -> at.emit(at.isWide() ? VINSERTI32X4 : VINSERTI128, to, low.low(256), high, second);
      case 128 -> at.emit(VPUNPCKLQDQ, to, low, high);
      case 64 -> at.emit(VPUNPCKLDQ, to, low, high);
      case 32 -> at.emit(VPUNPCKLWD, to, low, high);
      default -> at.emit(VPUNPCKLBW, to, low, high);
    }
    at.finish(result, to);
  }

  private void splat(Reg result, Operand a) {
    Type type = result.type();
    Vector to = at.target(result);
    if (a instanceof Imm(long value)) {
      at.load(to, new Const(type, value));
    } else if (a instanceof Const constant) {
      at.load(to, new Const(type, constant.lane(0)));
    } else if (a.type().isWord()) {
      splatWord(to, at.word(a, RAX), type.bits());
    } else if (type.lanes() == 1) {
      at.load(to, a);
    } else {
      Vector from = at.register(a, 0);
      at.emit(ConstantPool.broadcast(type.bits(), to.bits()), to, from);
    }
    at.finish(result, to);
  }

  /** Writes the low bits of a word to all lanes. */
  void splatWord(Vector to, Gp word, int bits) {
    Instruction broadcast = byBits(bits, VPBROADCASTB, VPBROADCASTW, VPBROADCASTD, VPBROADCASTQ);
    if (at.isWide()) {
      at.emit(broadcast, to, bits == 64 ? word : word.low32());
    } else {
      Vector low = to.low(128);
      if (bits == 64) {
        at.emit(VMOVQ, low, word);
      } else {
        at.emit(VMOVD, low, word.low32());
      }
      at.emit(broadcast, to, low);
    }
  }

  private void toWord(Reg result, Operand a) {
    Type type = a.type();
    Vector from = at.register(a, 0).low(128);
    Gp to = at.targetWord(result, RAX);
    if (type.bits() == 64) {
      at.emit(VMOVQ, to, from);
    } else {
      at.emit(VMOVD, to.low32(), from);
      if (type.isInt()) {
        switch (type.bits()) {
          case 8 -> at.emit(MOVSX, to, to.low(8));
          case 16 -> at.emit(MOVSX, to, to.low(16));
          default -> at.emit(MOVSXD, to, to.low32());
        }
      }
    }
    at.finish(result, to);
  }

  private void fromWord(Reg result, Operand a) {
    Gp word = at.word(a, RAX);
    Vector to = at.target(result);
    if (result.type().bits() == 64) {
      at.emit(VMOVQ, to, word);
    } else {
      at.emit(VMOVD, to, word.low32());
    }
    at.finish(result, to);
  }
}
