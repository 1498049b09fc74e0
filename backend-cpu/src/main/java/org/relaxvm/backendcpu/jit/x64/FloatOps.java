package org.relaxvm.backendcpu.jit.x64;

import static org.relaxvm.backendcpu.jit.x64.Instructions.byFloat;
import static org.relaxvm.backendcpu.jit.x64.Instructions.packed;
import static org.relaxvm.machine.x64.Instruction.*;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.backendcpu.jit.lir.Op;
import org.relaxvm.backendcpu.jit.lir.Operand;
import org.relaxvm.backendcpu.jit.lir.Operand.Const;
import org.relaxvm.backendcpu.jit.lir.Operand.Reg;
import org.relaxvm.backendcpu.jit.lir.Type;
import org.relaxvm.machine.x64.Gp;
import org.relaxvm.machine.x64.Immediate;
import org.relaxvm.machine.x64.Instruction;
import org.relaxvm.machine.x64.Mask;
import org.relaxvm.machine.x64.Vector;

/** Operations on one float or on lanes of floats. */
final class FloatOps {
  private static final int UNORDERED = 3;
  private static final int MINIMUM = 4;
  private static final int MAXIMUM = 5;

  private final Locations at;

  FloatOps(Locations at) {
    this.at = at;
  }

  void compute(Op op, Reg result, List<Operand> args) {
    Type type = result.type();
    Operand a = args.getFirst();
    switch (op) {
      case MOVE -> {
        Vector to = at.target(result);
        at.load(to, a);
        at.finish(result, to);
      }
      case ADD ->
          at.commutative(byFloat(type, VADDPS, VADDPD, VADDSS, VADDSD), result, a, args.get(1));
      case SUB -> at.binary(byFloat(type, VSUBPS, VSUBPD, VSUBSS, VSUBSD), result, a, args.get(1));
      case MUL ->
          at.commutative(byFloat(type, VMULPS, VMULPD, VMULSS, VMULSD), result, a, args.get(1));
      case DIV -> at.binary(byFloat(type, VDIVPS, VDIVPD, VDIVSS, VDIVSD), result, a, args.get(1));
      case MIN, MAX -> extremum(op == Op.MIN, result, a, args.get(1));
      case AND -> at.commutative(packed(type, VANDPS, VANDPD), result, a, args.get(1));
      case OR -> at.commutative(packed(type, VORPS, VORPD), result, a, args.get(1));
      case XOR -> at.commutative(packed(type, VXORPS, VXORPD), result, a, args.get(1));
      case AND_NOT -> at.binary(packed(type, VANDNPS, VANDNPD), result, args.get(1), a);
      case NEG -> at.commutative(packed(type, VXORPS, VXORPD), result, a, signs(type));
      case ABS ->
          at.commutative(
              packed(type, VANDPS, VANDPD), result, a, new Const(type, signBit(type) - 1));
      case SQRT -> squareRoot(result, a);
      case FLOOR -> round(9, result, a);
      case CEIL -> round(10, result, a);
      case TRUNC -> round(11, result, a);
      case NEAREST -> round(8, result, a);
      case SCALE ->
          at.binary(
              byFloat(type, VSCALEFPS, VSCALEFPD, VSCALEFSS, VSCALEFSD), result, a, args.get(1));
      case FMA, FNMA -> fused(op == Op.FNMA, result, a, args.get(1), args.get(2));
      case BLEND -> blend(result, (Reg) a, args.get(1), args.get(2));
      case SELECT -> select(result, a, args.get(1), args.get(2));
      default -> throw new IllegalArgumentException(op + " is no operation on floats");
    }
  }

  private static long signBit(Type type) {
    return 1L << (type.bits() - 1);
  }

  private static Const signs(Type type) {
    return new Const(type, signBit(type));
  }

  private void squareRoot(Reg result, Operand a) {
    Type type = result.type();
    Vector from = at.register(a, 0);
    Vector to = at.target(result);
    if (type.lanes() == 1) {
      at.emit(type.bits() == 32 ? VSQRTSS : VSQRTSD, to, from, from);
    } else {
      at.emit(packed(type, VSQRTPS, VSQRTPD), to, from);
    }
    at.finish(result, to);
  }

  private void round(int mode, Reg result, Operand a) {
    Type type = result.type();
    Vector from = at.register(a, 0);
    Vector to = at.target(result);
    Immediate how = Immediate.of(mode);
    if (type.lanes() == 1) {
      Instruction round =
          at.isWide()
              ? (type.bits() == 32 ? VRNDSCALESS : VRNDSCALESD)
              : (type.bits() == 32 ? VROUNDSS : VROUNDSD);
      at.emit(round, to, from, from, how);
    } else {
      Instruction round =
          at.isWide() ? packed(type, VRNDSCALEPS, VRNDSCALEPD) : packed(type, VROUNDPS, VROUNDPD);
      at.emit(round, to, from, how);
    }
    at.finish(result, to);
  }

  // The minimum and the maximum.

  private void extremum(boolean isMinimum, Reg result, Operand a, Operand b) {
    if (isOrdinary(at.constantOf(a))) {
      ordinary(isMinimum, result, a, b);
    } else if (isOrdinary(at.constantOf(b))) {
      ordinary(isMinimum, result, b, a);
    } else if (at.isWide()) {
      rangeExtremum(isMinimum, result, a, b);
    } else if (isMinimum) {
      minimum(result, a, b);
    } else {
      maximum(result, a, b);
    }
  }

  /** Whether the instruction is right of a constant: no lane is NaN or zero. */
  private static boolean isOrdinary(@Nullable Const constant) {
    if (constant == null) {
      return false;
    }
    Type type = constant.type();
    for (int lane = 0; lane < type.lanes(); lane++) {
      double value =
          type.bits() == 32
              ? Float.intBitsToFloat((int) constant.lane(lane))
              : Double.longBitsToDouble(constant.lane(lane));
      if (value == 0 || Double.isNaN(value)) {
        return false;
      }
    }
    return true;
  }

  /** The instruction returns the second operand if one is NaN, which only that one may be. */
  private void ordinary(boolean isMinimum, Reg result, Operand constant, Operand value) {
    Type type = result.type();
    Instruction instruction =
        isMinimum
            ? byFloat(type, VMINPS, VMINPD, VMINSS, VMINSD)
            : byFloat(type, VMAXPS, VMAXPD, VMAXSS, VMAXSD);
    at.binary(instruction, result, constant, value);
  }

  private static Instruction either(boolean isMinimum, Type type) {
    return isMinimum ? packed(type, VMINPS, VMINPD) : packed(type, VMAXPS, VMAXPD);
  }

  /** With an instruction that orders zeros; NaN is written where it returns the other operand. */
  private void rangeExtremum(boolean isMinimum, Reg result, Operand a, Operand b) {
    Type type = result.type();
    Vector x = at.register(a, 1);
    Vector y = at.register(b, 2);
    Vector to = at.target(result);
    boolean isFloat32 = type.bits() == 32;
    at.emit(isFloat32 ? VCMPPS : VCMPPD, Locations.K7, x, y, Immediate.of(UNORDERED));
    at.emit(isFloat32 ? VRANGEPS : VRANGEPD, to, x, y, Immediate.of(isMinimum ? MINIMUM : MAXIMUM));
    Const nan = Const.of(type, Double.NaN);
    at.emitMasked(
        ConstantPool.broadcast(type.bits(), to.bits()), Locations.K7, false, to, at.element(nan));
    at.finish(result, to);
  }

  /** Both orders of the operands give the same but for zeros and NaN, whose bits are combined. */
  private void minimum(Reg result, Operand a, Operand b) {
    Type type = result.type();
    Vector x = at.register(a, 1);
    Vector y = at.register(b, 2);
    Vector first = at.scratch(0, type);
    Vector to = at.workspace(result, x, y);
    if (to.number() == first.number()) {
      Vector second = y.number() == at.scratch(2, type).number() ? y : at.scratch(2, type);
      at.emit(either(true, type), first, x, y);
      at.emit(either(true, type), second, y, x);
      at.emit(packed(type, VORPS, VORPD), first, first, second);
      at.finish(result, first);
    } else {
      at.emit(either(true, type), first, x, y);
      at.emit(either(true, type), to, y, x);
      at.emit(packed(type, VORPS, VORPD), to, to, first);
      at.finish(result, to);
    }
  }

  /** As the minimum; the difference makes +0 of zeros of both signs and keeps NaN. */
  private void maximum(Reg result, Operand a, Operand b) {
    Type type = result.type();
    Vector x = at.register(a, 1);
    Vector y = at.register(b, 2);
    Vector first = at.scratch(0, type);
    Vector second = at.scratch(2, type);
    at.emit(either(false, type), first, x, y);
    at.emit(either(false, type), second, y, x);
    at.emit(packed(type, VXORPS, VXORPD), second, second, first);
    at.emit(packed(type, VORPS, VORPD), first, first, second);
    at.emit(packed(type, VSUBPS, VSUBPD), first, first, second);
    at.finish(result, first);
  }

  // Multiplication and addition.

  private void fused(boolean isNegated, Reg result, Operand a, Operand b, Operand c) {
    Vector to = at.target(result);
    if (!at.isIn(c, to) && at.isIn(b, to)) {
      fusedInto(isNegated, to, b, a, c);
    } else if (!at.isInRegister(a) && at.isInRegister(b)) {
      fusedInto(isNegated, to, b, a, c);
    } else {
      fusedInto(isNegated, to, a, b, c);
    }
    at.finish(result, to);
  }

  private void fusedInto(boolean isNegated, Vector to, Operand a, Operand b, Operand c) {
    Type type = c.type();
    if (at.isIn(c, to)) {
      at.emit(form231(isNegated, type), to, at.register(a, 1), at.operand(b));
    } else if (at.isIn(a, to)) {
      if (at.isInRegister(b)) {
        at.emit(form213(isNegated, type), to, at.register(b, 1), at.operand(c));
      } else {
        at.emit(form132(isNegated, type), to, at.register(c, 1), at.operand(b));
      }
    } else if (at.isIn(b, to)) {
      fusedInto(isNegated, to, b, a, c);
    } else {
      at.load(to, c);
      at.emit(form231(isNegated, type), to, at.register(a, 1), at.operand(b));
    }
  }

  private static Instruction form231(boolean isNegated, Type type) {
    return isNegated
        ? byFloat(type, VFNMADD231PS, VFNMADD231PD, VFNMADD231SS, VFNMADD231SD)
        : byFloat(type, VFMADD231PS, VFMADD231PD, VFMADD231SS, VFMADD231SD);
  }

  private static Instruction form213(boolean isNegated, Type type) {
    return isNegated
        ? byFloat(type, VFNMADD213PS, VFNMADD213PD, VFNMADD213SS, VFNMADD213SD)
        : byFloat(type, VFMADD213PS, VFMADD213PD, VFMADD213SS, VFMADD213SD);
  }

  private static Instruction form132(boolean isNegated, Type type) {
    return isNegated
        ? byFloat(type, VFNMADD132PS, VFNMADD132PD, VFNMADD132SS, VFNMADD132SD)
        : byFloat(type, VFMADD132PS, VFMADD132PD, VFMADD132SS, VFMADD132SD);
  }

  // Selections.

  private void blend(Reg result, Reg mask, Operand a, Operand b) {
    Type type = result.type();
    Vector to = at.target(result);
    if (at.isWide()) {
      Mask where = at.mask(mask, Locations.K7);
      at.emitMasked(
          packed(type, VBLENDMPS, VBLENDMPD), where, false, to, at.register(b, 0), at.operand(a));
    } else {
      Vector where = at.register(mask, 1);
      at.emit(packed(type, VBLENDVPS, VBLENDVPD), to, at.register(b, 0), at.operand(a), where);
    }
    at.finish(result, to);
  }

  private void select(Reg result, Operand condition, Operand a, Operand b) {
    Type type = result.type();
    Gp word = at.word(condition, Locations.RAX);
    Vector to = at.target(result);
    if (at.isWide()) {
      at.emit(TEST, word, word);
      at.emit(SETNE, Locations.RAX.low(8));
      at.emit(KMOVB, Locations.K7, Locations.RAX.low32());
      at.emitMasked(
          packed(type, VBLENDMPS, VBLENDMPD),
          Locations.K7,
          false,
          to,
          at.register(b, 0),
          at.operand(a));
    } else {
      // All bits of the mask are set if the negation borrows, which it does of all but 0.
      at.moveWord(Locations.RAX, word);
      at.emit(Instruction.NEG, Locations.RAX);
      at.emit(SBB, Locations.RAX, Locations.RAX);
      Vector mask = at.scratch(1, type);
      at.emit(VMOVQ, mask, Locations.RAX);
      at.emit(packed(type, VBLENDVPS, VBLENDVPD), to, at.register(b, 0), at.operand(a), mask);
    }
    at.finish(result, to);
  }
}
