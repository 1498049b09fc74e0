package org.relaxvm.backendcpu.jit.x64;

import static org.relaxvm.backendcpu.jit.x64.Instructions.byBits;
import static org.relaxvm.machine.x64.Instruction.*;

import java.util.List;
import org.relaxvm.backendcpu.jit.lir.Op;
import org.relaxvm.backendcpu.jit.lir.Operand;
import org.relaxvm.backendcpu.jit.lir.Operand.Const;
import org.relaxvm.backendcpu.jit.lir.Operand.Reg;
import org.relaxvm.backendcpu.jit.lir.Type;
import org.relaxvm.machine.x64.Immediate;
import org.relaxvm.machine.x64.Instruction;
import org.relaxvm.machine.x64.Mask;
import org.relaxvm.machine.x64.Vector;

/** Operations on lanes of integers, and on masks that are in vector registers. */
final class IntOps {
  private final Locations at;
  private final Shifts shifts;

  IntOps(Locations at) {
    this.at = at;
    shifts = new Shifts(at);
  }

  void compute(Op op, Reg result, List<Operand> args) {
    int bits = result.type().bits();
    Operand a = args.getFirst();
    switch (op) {
      case MOVE -> {
        Vector to = at.target(result);
        at.load(to, a);
        at.finish(result, to);
      }
      case ADD -> at.commutative(Instructions.add(bits), result, a, args.get(1));
      case SUB -> at.binary(Instructions.subtract(bits), result, a, args.get(1));
      case MUL -> multiply(result, a, args.get(1));
      case MIN, MAX, UMIN, UMAX -> extremum(op, result, a, args.get(1));
      case AND -> at.commutative(Instructions.and(at.isWide(), bits), result, a, args.get(1));
      case OR -> at.commutative(Instructions.or(at.isWide(), bits), result, a, args.get(1));
      case XOR -> at.commutative(Instructions.xor(at.isWide(), bits), result, a, args.get(1));
      case AND_NOT -> at.binary(Instructions.andNot(at.isWide(), bits), result, args.get(1), a);
      case NOT -> not(result, a);
      case EVEN_BLOCKS -> blocks(result, a, args.get(1), false);
      case ODD_BLOCKS -> blocks(result, a, args.get(1), true);
      case INTERLEAVE_LOW -> at.binary(Instructions.interleaveLow(bits), result, a, args.get(1));
      case INTERLEAVE_HIGH -> at.binary(Instructions.interleaveHigh(bits), result, a, args.get(1));
      case NEG -> at.binary(Instructions.subtract(bits), result, new Const(result.type(), 0), a);
      case ABS -> absolute(result, a);
      case SHL, SHR, SAR -> shifts.shift(op, result, a, args.get(1));
      case BLEND -> blend(result, (Reg) a, args.get(1), args.get(2));
      default -> throw new IllegalArgumentException(op + " is no operation on lanes of integers");
    }
  }

  private void blocks(Reg result, Operand a, Operand b, boolean isOdd) {
    boolean isLong = result.type().totalBits() == 512;
    int choice;
    if (isLong) {
      choice = isOdd ? 0xDD : 0x88;
    } else if (at.isWide()) {
      choice = isOdd ? 3 : 0;
    } else {
      choice = isOdd ? 0x31 : 0x20;
    }
    Vector first = at.register(a, 0);
    Vector second = at.register(b, 1);
    Vector to = at.target(result);
    at.assembler()
        .emit(at.isWide() ? VSHUFI64X2 : VPERM2I128, to, first, second, Immediate.of(choice));
    at.finish(result, to);
  }

  private void not(Reg result, Operand a) {
    Vector from = at.register(a, 0);
    Vector to = at.target(result);
    if (at.isWide()) {
      at.emit(VPTERNLOGD, to, from, from, Immediate.of(0x55));
    } else {
      Type ints = Type.ints(result.type().bits(), result.type().lanes());
      at.emit(VPXOR, to, from, at.fullOperand(new Const(ints, -1)));
    }
    at.finish(result, to);
  }

  private void absolute(Reg result, Operand a) {
    int bits = result.type().bits();
    Vector from = at.register(a, 0);
    Vector to = at.target(result);
    if (bits < 64 || at.isWide()) {
      at.emit(byBits(bits, VPABSB, VPABSW, VPABSD, VPABSQ), to, from);
    } else {
      Vector sign = at.scratch(1, result.type());
      at.emit(VPXOR, sign, sign, sign);
      at.emit(VPCMPGTQ, sign, sign, from);
      at.emit(VPXOR, to, from, sign);
      at.emit(VPSUBQ, to, to, sign);
    }
    at.finish(result, to);
  }

  private void multiply(Reg result, Operand a, Operand b) {
    switch (result.type().bits()) {
      case 8 -> multiplyBytes(result, a, b);
      case 16 -> at.commutative(VPMULLW, result, a, b);
      case 32 -> at.commutative(VPMULLD, result, a, b);
      default -> {
        if (at.isWide()) {
          at.commutative(VPMULLQ, result, a, b);
        } else {
          multiplyWords(result, a, b);
        }
      }
    }
  }

  /** Products of the even and of the odd bytes, as 16-bit integers. */
  private void multiplyBytes(Reg result, Operand a, Operand b) {
    Vector x = at.register(a, 1);
    Vector y = at.register(b, 2);
    Vector even = at.scratch(0, result.type());
    Vector odd = at.scratch(2, result.type());
    Vector shifted = at.scratch(1, result.type());
    at.emit(VPMULLW, even, x, y);
    at.emit(VPSRLW, odd, y, Immediate.of(8));
    at.emit(VPSRLW, shifted, x, Immediate.of(8));
    at.emit(VPMULLW, odd, odd, shifted);
    at.emit(VPSLLW, odd, odd, Immediate.of(8));
    at.emit(VPSLLW, even, even, Immediate.of(8));
    at.emit(VPSRLW, even, even, Immediate.of(8));
    at.emit(Instructions.or(at.isWide(), 32), even, even, odd);
    at.finish(result, even);
  }

  /** The product of the low halves, and the sum of the mixed products 32 bits higher. */
  private void multiplyWords(Reg result, Operand a, Operand b) {
    Vector x = at.register(a, 1);
    Vector y = at.register(b, 2);
    Vector mixed = at.scratch(0, result.type());
    Vector low = at.scratch(2, result.type());
    Vector upper = at.scratch(1, result.type());
    at.emit(VPSHUFD, mixed, y, Immediate.of(0xB1));
    at.emit(VPMULLD, mixed, mixed, x);
    at.emit(VPMULUDQ, low, x, y);
    at.emit(VPSRLQ, upper, mixed, Immediate.of(32));
    at.emit(VPADDD, mixed, mixed, upper);
    at.emit(VPSLLQ, mixed, mixed, Immediate.of(32));
    at.emit(VPADDQ, mixed, mixed, low);
    at.finish(result, mixed);
  }

  private void extremum(Op op, Reg result, Operand a, Operand b) {
    int bits = result.type().bits();
    if (bits == 64 && !at.isWide()) {
      compareAndBlend(op, result, a, b);
      return;
    }
    Instruction instruction =
        switch (op) {
          case MIN -> byBits(bits, VPMINSB, VPMINSW, VPMINSD, VPMINSQ);
          case MAX -> byBits(bits, VPMAXSB, VPMAXSW, VPMAXSD, VPMAXSQ);
          case UMIN -> byBits(bits, VPMINUB, VPMINUW, VPMINUD, VPMINUQ);
          default -> byBits(bits, VPMAXUB, VPMAXUW, VPMAXUD, VPMAXUQ);
        };
    at.commutative(instruction, result, a, b);
  }

  private void compareAndBlend(Op op, Reg result, Operand a, Operand b) {
    Type type = result.type();
    Vector x = at.register(a, 1);
    Vector y = at.register(b, 2);
    Vector isGreater = at.scratch(0, type);
    if (op == Op.MIN || op == Op.MAX) {
      at.emit(VPCMPGTQ, isGreater, x, y);
    } else {
      // Unsigned integers compare as signed ones with inverted signs; these are inverted back.
      org.relaxvm.machine.x64.Operand signs = at.fullOperand(new Const(type, Long.MIN_VALUE));
      at.emit(VPXOR, at.scratch(1, type), x, signs);
      at.emit(VPXOR, at.scratch(2, type), y, signs);
      at.emit(VPCMPGTQ, isGreater, at.scratch(1, type), at.scratch(2, type));
      if (x.number() == at.scratch(1, type).number()) {
        at.emit(VPXOR, x, x, signs);
      }
      if (y.number() == at.scratch(2, type).number()) {
        at.emit(VPXOR, y, y, signs);
      }
    }
    Vector to = at.target(result);
    if (op == Op.MIN || op == Op.UMIN) {
      at.emit(VPBLENDVB, to, x, y, isGreater);
    } else {
      at.emit(VPBLENDVB, to, y, x, isGreater);
    }
    at.finish(result, to);
  }

  private void blend(Reg result, Reg mask, Operand a, Operand b) {
    int bits = result.type().bits();
    Vector to = at.target(result);
    if (at.isWide()) {
      Mask where = at.mask(mask, Locations.K7);
      at.emitMasked(
          byBits(bits, VPBLENDMB, VPBLENDMW, VPBLENDMD, VPBLENDMQ),
          where,
          false,
          to,
          at.register(b, 0),
          at.operand(a));
    } else {
      Vector where = at.register(mask, 1);
      at.emit(VPBLENDVB, to, at.register(b, 0), at.operand(a), where);
    }
    at.finish(result, to);
  }
}
