package org.relaxvm.backendcpu.jit.x64;

import static org.relaxvm.machine.x64.Instruction.*;

import org.relaxvm.backendcpu.jit.lir.Op;
import org.relaxvm.backendcpu.jit.lir.Operand;
import org.relaxvm.backendcpu.jit.lir.Operand.Const;
import org.relaxvm.backendcpu.jit.lir.Operand.Imm;
import org.relaxvm.backendcpu.jit.lir.Operand.Reg;
import org.relaxvm.backendcpu.jit.lir.Type;
import org.relaxvm.machine.x64.Immediate;
import org.relaxvm.machine.x64.Instruction;
import org.relaxvm.machine.x64.Vector;

/** Shifts of lanes of integers. */
final class Shifts {
  private final Locations at;

  Shifts(Locations at) {
    this.at = at;
  }

  void shift(Op op, Reg result, Operand a, Operand by) {
    if (by instanceof Imm(long count)) {
      byConstant(op, result, a, (int) count & (result.type().bits() - 1));
    } else {
      byLanes(op, result, a, by);
    }
  }

  private void byConstant(Op op, Reg result, Operand a, int count) {
    Type type = result.type();
    Vector from = at.register(a, 1);
    Vector to = at.target(result);
    if (type.bits() == 8) {
      bytesByConstant(op, to, from, count, type);
    } else if (op == Op.SAR && type.bits() == 64 && !at.isWide()) {
      at.emit(VPSRLQ, to, from, Immediate.of(count));
      extendSign(to, new Const(type, Long.MIN_VALUE >>> count), 64);
    } else {
      at.emit(immediate(op, type.bits()), to, from, Immediate.of(count));
    }
    at.finish(result, to);
  }

  /** Shifts pairs of bytes, and clears the bits that came from the other byte. */
  private void bytesByConstant(Op op, Vector to, Vector from, int count, Type type) {
    at.emit(immediate(op == Op.SHL ? op : Op.SHR, 16), to, from, Immediate.of(count));
    int kept = op == Op.SHL ? 0xFF << count & 0xFF : 0xFF >>> count;
    at.emit(Instructions.and(at.isWide(), 32), to, to, at.fullOperand(new Const(type, kept)));
    if (op == Op.SAR) {
      extendSign(to, new Const(type, 0x80 >>> count), 8);
    }
  }

  /** Copies the bit {@code sign} to all bits above it. */
  private void extendSign(Vector to, Const sign, int bits) {
    at.emit(Instructions.xor(at.isWide(), 32), to, to, at.fullOperand(sign));
    at.emit(Instructions.subtract(bits), to, to, at.fullOperand(sign));
  }

  private static Instruction immediate(Op op, int bits) {
    return switch (op) {
      case SHL -> Instructions.byBits(bits, VPSLLW, VPSLLW, VPSLLD, VPSLLQ);
      case SHR -> Instructions.byBits(bits, VPSRLW, VPSRLW, VPSRLD, VPSRLQ);
      default -> Instructions.byBits(bits, VPSRAW, VPSRAW, VPSRAD, VPSRAQ);
    };
  }

  private static Instruction variable(Op op, int bits) {
    return switch (op) {
      case SHL -> Instructions.byBits(bits, VPSLLVW, VPSLLVW, VPSLLVD, VPSLLVQ);
      case SHR -> Instructions.byBits(bits, VPSRLVW, VPSRLVW, VPSRLVD, VPSRLVQ);
      default -> Instructions.byBits(bits, VPSRAVW, VPSRAVW, VPSRAVD, VPSRAVQ);
    };
  }

  private void byLanes(Op op, Reg result, Operand a, Operand by) {
    Type type = result.type();
    boolean isSplit = type.bits() == 8 || (type.bits() == 16 && !at.isWide());
    if (isSplit) {
      byHalves(op, result, a, by);
    } else if (op == Op.SAR && type.bits() == 64 && !at.isWide()) {
      Vector count = at.register(by, 2);
      Vector sign = at.scratch(1, type);
      Vector value = at.scratch(0, type);
      at.emit(VPSRLVQ, value, at.register(a, 0), count);
      at.load(sign, new Const(type, Long.MIN_VALUE));
      at.emit(VPSRLVQ, sign, sign, count);
      at.emit(VPXOR, value, value, sign);
      at.emit(VPSUBQ, value, value, sign);
      at.finish(result, value);
    } else {
      at.binary(variable(op, type.bits()), result, a, by);
    }
  }

  /** Shifts the even and the odd lanes as integers of twice the bits. */
  private void byHalves(Op op, Reg result, Operand a, Operand by) {
    Type type = result.type();
    int bits = type.bits();
    int pair = 2 * bits;
    Instruction and = Instructions.and(at.isWide(), 32);
    Instruction left = immediate(Op.SHL, pair);
    Instruction right = immediate(Op.SHR, pair);
    Immediate half = Immediate.of(bits);
    Vector even = at.scratch(0, type);
    Vector odd = at.scratch(1, type);
    Vector count = at.scratch(2, type);
    org.relaxvm.machine.x64.Operand lowLanes = lanes(type, true);
    org.relaxvm.machine.x64.Operand highLanes = lanes(type, false);

    Vector value = at.register(a, 1);
    switch (op) {
      case SHL -> at.move(even, value);
      case SHR -> at.emit(and, even, value, lowLanes);
      default -> at.emit(left, even, value, half);
    }
    at.emit(and, odd, at.register(by, 2), lowLanes);
    at.emit(variable(op, pair), even, even, odd);
    switch (op) {
      case SHL -> at.emit(and, even, even, lowLanes);
      case SHR -> {}
      default -> at.emit(right, even, even, half);
    }
    at.emit(right, count, at.register(by, 2), half);
    value = at.register(a, 1);
    if (op == Op.SHL) {
      at.emit(and, odd, value, highLanes);
      at.emit(variable(op, pair), odd, odd, count);
    } else {
      at.emit(variable(op, pair), odd, value, count);
      at.emit(and, odd, odd, highLanes);
    }
    at.emit(Instructions.or(at.isWide(), 32), even, even, odd);
    at.finish(result, even);
  }

  /** All bits of the even lanes, or of the odd ones. */
  private org.relaxvm.machine.x64.Operand lanes(Type type, boolean isEven) {
    int count = Math.max(128, type.totalBits()) / type.bits();
    long[] lanes = new long[count];
    for (int i = isEven ? 0 : 1; i < count; i += 2) {
      lanes[i] = -1;
    }
    return at.fullOperand(new Const(Type.ints(type.bits(), count), lanes));
  }
}
