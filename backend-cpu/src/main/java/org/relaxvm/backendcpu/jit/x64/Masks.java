package org.relaxvm.backendcpu.jit.x64;

import static org.relaxvm.backendcpu.jit.x64.Instructions.byBits;
import static org.relaxvm.backendcpu.jit.x64.Instructions.packed;
import static org.relaxvm.backendcpu.jit.x64.Locations.K7;
import static org.relaxvm.backendcpu.jit.x64.Locations.RAX;
import static org.relaxvm.backendcpu.jit.x64.Locations.RDX;
import static org.relaxvm.machine.x64.Instruction.*;

import java.util.List;
import org.relaxvm.backendcpu.jit.lir.Op;
import org.relaxvm.backendcpu.jit.lir.Operand;
import org.relaxvm.backendcpu.jit.lir.Operand.Const;
import org.relaxvm.backendcpu.jit.lir.Operand.Imm;
import org.relaxvm.backendcpu.jit.lir.Operand.Reg;
import org.relaxvm.backendcpu.jit.lir.Relation;
import org.relaxvm.backendcpu.jit.lir.Type;
import org.relaxvm.machine.x64.Condition;
import org.relaxvm.machine.x64.Gp;
import org.relaxvm.machine.x64.Immediate;
import org.relaxvm.machine.x64.Instruction;
import org.relaxvm.machine.x64.Mask;
import org.relaxvm.machine.x64.Vector;

/**
 * Masks: comparisons of lanes, and what is computed of masks. With AVX-512 masks are in mask
 * registers, with AVX2 lanes whose bits are all equal. Bits above those of the lanes are undefined.
 */
final class Masks {
  private static final Mask K0 = Mask.k(0);

  private final Locations at;
  private final Narrowing narrowing;

  Masks(Locations at, Narrowing narrowing) {
    this.at = at;
    this.narrowing = narrowing;
  }

  /** Operations on masks in mask registers. */
  void compute(Op op, Reg result, List<Operand> args) {
    int lanes = result.type().lanes();
    Mask a = at.mask((Reg) args.getFirst(), K0);
    Mask to = at.targetMask(result);
    switch (op) {
      case MOVE -> {
        at.finish(result, a);
        return;
      }
      case NOT -> at.emit(byLanes(lanes, KNOTB, KNOTW, KNOTD, KNOTQ), to, a);
      case AND -> at.emit(byLanes(lanes, KANDB, KANDW, KANDD, KANDQ), to, a, second(args));
      case OR -> at.emit(byLanes(lanes, KORB, KORW, KORD, KORQ), to, a, second(args));
      case XOR -> at.emit(byLanes(lanes, KXORB, KXORW, KXORD, KXORQ), to, a, second(args));
      case AND_NOT -> at.emit(byLanes(lanes, KANDNB, KANDNW, KANDND, KANDNQ), to, second(args), a);
      case LOW_HALF -> {
        at.finish(result, a);
        return;
      }
      case HIGH_HALF ->
          at.emit(
              byLanes(2 * lanes, KSHIFTRB, KSHIFTRW, KSHIFTRD, KSHIFTRQ),
              to,
              a,
              Immediate.of(lanes));
      default -> throw new IllegalArgumentException(op + " is no operation on masks");
    }
    at.finish(result, to);
  }

  /** {@code result} has the lanes of {@code a} followed by those of {@code b}. */
  void join(Reg result, Reg a, Reg b) {
    int lanes = a.type().lanes();
    Mask low = at.mask(a, K0);
    Mask high = at.mask(b, K7);
    Mask to = at.targetMask(result);
    switch (lanes) {
      case 8 -> at.emit(KUNPCKBW, to, high, low);
      case 16 -> at.emit(KUNPCKWD, to, high, low);
      case 32 -> at.emit(KUNPCKDQ, to, high, low);
      default -> {
        // The bits above the lanes of the first half are undefined.
        at.emit(KSHIFTLB, K0, low, Immediate.of(8 - lanes));
        at.emit(KSHIFTRB, K0, K0, Immediate.of(8 - lanes));
        at.emit(KSHIFTLB, K7, high, Immediate.of(lanes));
        at.emit(KORB, to, K0, K7);
      }
    }
    at.finish(result, to);
  }

  private Mask second(List<Operand> args) {
    return at.mask((Reg) args.get(1), K7);
  }

  /** The instruction for masks of up to 8, 16, 32 or 64 lanes. */
  private static Instruction byLanes(
      int lanes, Instruction b, Instruction w, Instruction d, Instruction q) {
    return byBits(Math.max(8, lanes), b, w, d, q);
  }

  private static Instruction moveMask(int lanes) {
    return byLanes(lanes, KMOVB, KMOVW, KMOVD, KMOVQ);
  }

  private static Gp sized(Gp register, int lanes) {
    return lanes > 32 ? register : register.low32();
  }

  // Comparisons.

  void compare(Relation relation, Reg result, Operand a, Operand b) {
    Type type = a.type();
    if (type.isFloat() && type.lanes() == 1) {
      compareFloats(relation, result, a, b);
    } else if (!at.isInRegister(a) && at.isInRegister(b)) {
      compareLanes(relation.swapped(), result, b, a);
    } else {
      compareLanes(relation, result, a, b);
    }
  }

  /** {@code result = a relation b ? 1 : 0} of floats. */
  private void compareFloats(Relation relation, Reg result, Operand a, Operand b) {
    boolean isSwapped = relation == Relation.LT || relation == Relation.LE;
    Vector x = at.register(isSwapped ? b : a, 0);
    Instruction compare = a.type().bits() == 32 ? VUCOMISS : VUCOMISD;
    at.emit(compare, x, at.operand(isSwapped ? a : b));
    switch (relation) {
      case EQ -> {
        at.emit(SETNP, RAX.low(8));
        at.emit(SETE, RDX.low(8));
        at.emit(Instruction.AND, RAX.low32(), RDX.low32());
      }
      case NE -> {
        at.emit(SETP, RAX.low(8));
        at.emit(SETNE, RDX.low(8));
        at.emit(Instruction.OR, RAX.low32(), RDX.low32());
      }
      case GT, LT -> at.emit(Conditions.set(Condition.A), RAX.low(8));
      case GE, LE -> at.emit(Conditions.set(Condition.AE), RAX.low(8));
      default -> throw new IllegalArgumentException("floats do not compare by " + relation);
    }
    at.emit(MOVZX, RAX.low32(), RAX.low(8));
    at.finish(result, RAX);
  }

  private void compareLanes(Relation relation, Reg result, Operand a, Operand b) {
    Type type = a.type();
    if (type.isFloat()) {
      int predicate = floatPredicate(relation);
      Vector x = at.register(a, 0);
      Instruction compare = packed(type, VCMPPS, VCMPPD);
      if (at.isWide()) {
        Mask to = at.targetMask(result);
        at.emit(compare, to, x, at.operand(b), Immediate.of(predicate));
        at.finish(result, to);
      } else {
        Vector to = at.target(result);
        at.emit(compare, to, x, at.operand(b), Immediate.of(predicate));
        at.finish(result, to);
      }
    } else if (at.isWide()) {
      Instruction compare =
          isUnsigned(relation)
              ? byBits(type.bits(), VPCMPUB, VPCMPUW, VPCMPUD, VPCMPUQ)
              : byBits(type.bits(), VPCMPB, VPCMPW, VPCMPD, VPCMPQ);
      Mask to = at.targetMask(result);
      Vector x = at.register(a, 0);
      at.emit(compare, to, x, at.operand(b), Immediate.of(predicate(relation)));
      at.finish(result, to);
    } else {
      compareInts(relation, result, a, b);
    }
  }

  private static boolean isUnsigned(Relation relation) {
    return switch (relation) {
      case ULT, ULE, UGT, UGE -> true;
      default -> false;
    };
  }

  private static int predicate(Relation relation) {
    return switch (relation) {
      case EQ -> 0;
      case LT, ULT -> 1;
      case LE, ULE -> 2;
      case NE -> 4;
      case GE, UGE -> 5;
      case GT, UGT -> 6;
    };
  }

  /** Predicates that are false of NaN, but for the one of NE, and raise no exception. */
  private static int floatPredicate(Relation relation) {
    return switch (relation) {
      case EQ -> 0x00;
      case LT -> 0x11;
      case LE -> 0x12;
      case NE -> 0x04;
      case GE -> 0x1D;
      case GT -> 0x1E;
      default -> throw new IllegalArgumentException("floats do not compare by " + relation);
    };
  }

  private void compareInts(Relation relation, Reg result, Operand a, Operand b) {
    Type type = a.type();
    int bits = type.bits();
    Vector x = at.register(a, 1);
    Vector y = at.register(b, 2);
    Vector to = at.target(result);
    if (isUnsigned(relation)) {
      var signs = at.fullOperand(new Const(type, 1L << (bits - 1)));
      Vector flippedX = at.scratch(1, type);
      Vector flippedY = at.scratch(2, type);
      at.emit(VPXOR, flippedX, x, signs);
      at.emit(VPXOR, flippedY, y, signs);
      x = flippedX;
      y = flippedY;
    }
    switch (relation) {
      case EQ, NE -> at.emit(Instructions.compareEqual(bits), to, x, y);
      case GT, UGT, LE, ULE -> at.emit(Instructions.compareGreater(bits), to, x, y);
      default -> at.emit(Instructions.compareGreater(bits), to, y, x);
    }
    boolean isInverted =
        switch (relation) {
          case NE, LE, ULE, GE, UGE -> true;
          default -> false;
        };
    if (isInverted) {
      at.emit(VPXOR, to, to, at.fullOperand(new Const(type, -1)));
    }
    at.finish(result, to);
  }

  // Masks and words.

  void firstLanes(Reg result, Operand count) {
    if (at.isWide()) {
      int lanes = result.type().lanes();
      Gp bits = sized(RAX, lanes);
      if (count instanceof Imm(long value)) {
        at.constant(RAX, value >= 64 ? -1 : (1L << value) - 1);
      } else {
        Gp number = at.word(count, RDX);
        at.emit(MOV, bits, Immediate.of(-1));
        at.emit(BZHI, bits, bits, sized(number, lanes));
      }
      Mask to = at.targetMask(result);
      at.emit(moveMask(lanes), to, bits);
      at.finish(result, to);
    } else {
      firstLanesInVector(result, count);
    }
  }

  private void firstLanesInVector(Reg result, Operand count) {
    Type type = result.type();
    Vector to = at.target(result);
    if (count instanceof Imm(long value)) {
      at.load(to, first(type, (int) value));
    } else {
      int registerLanes = Locations.registerBits(type) / type.bits();
      long[] indices = new long[registerLanes];
      for (int i = 0; i < registerLanes; i++) {
        indices[i] = i;
      }
      Vector number = at.scratch(0, 128);
      at.emit(VMOVQ, number, at.word(count, RAX));
      Vector all = at.scratch(0, type);
      at.emit(
          byBits(type.bits(), VPBROADCASTB, VPBROADCASTW, VPBROADCASTD, VPBROADCASTQ), all, number);
      at.emit(
          Instructions.compareGreater(type.bits()),
          to,
          all,
          at.fullOperand(new Const(Type.ints(type.bits(), registerLanes), indices)));
    }
    at.finish(result, to);
  }

  /** A mask of the first lanes in a vector register, of which all other bits are 0. */
  private static Const first(Type type, int count) {
    int registerLanes = Locations.registerBits(type) / type.bits();
    long[] lanes = new long[registerLanes];
    for (int i = 0; i < count; i++) {
      lanes[i] = -1;
    }
    return new Const(Type.ints(type.bits(), registerLanes), lanes);
  }

  void bits(Reg result, Reg mask) {
    Type type = mask.type();
    int lanes = type.lanes();
    if (at.isWide()) {
      at.emit(moveMask(lanes), sized(RAX, lanes), at.mask(mask, K7));
    } else {
      Vector from = at.register(mask, 0);
      switch (type.bits()) {
        case 8 -> at.emit(VPMOVMSKB, RAX.low32(), from);
        case 16 -> {
          Vector bytes = at.scratch(0, 128);
          narrowing.halves(bytes, from, 16);
          at.emit(VPMOVMSKB, RAX.low32(), bytes);
        }
        case 32 -> at.emit(VMOVMSKPS, RAX.low32(), from);
        default -> at.emit(VMOVMSKPD, RAX.low32(), from);
      }
    }
    boolean hasUndefinedBits =
        at.isWide() ? lanes < 8 : type.totalBits() < 128 || type.bits() == 16;
    if (hasUndefinedBits && lanes < 32) {
      at.emit(Instruction.AND, RAX.low32(), Immediate.of((1 << lanes) - 1));
    }
    at.finish(result, RAX);
  }

  void resize(Reg result, Reg mask) {
    if (at.isWide()) {
      at.finish(result, at.mask(mask, K7));
      return;
    }
    Type from = mask.type();
    Type to = result.type();
    Vector target = at.target(result);
    if (from.bits() == to.bits()) {
      at.load(target, mask);
    } else if (from.bits() < to.bits()) {
      at.emit(Instructions.extend(from.bits(), to.bits(), true), target, at.register(mask, 0));
    } else {
      narrowing.narrow(target, at.register(mask, 0), from, to.bits());
    }
    at.finish(result, target);
  }

  // Masks of memory accesses.

  /** The mask as a predicate that is false above its lanes. Uses rdx. */
  Mask predicate(Reg mask) {
    Mask all = at.mask(mask, K7);
    Type type = mask.type();
    return type.totalBits() >= 128 ? all : restricted(all, type.lanes());
  }

  /** As {@link #predicate}, and its bits above those of the lanes are 0. Uses rdx. */
  Mask canonicalPredicate(Reg mask) {
    Mask all = at.mask(mask, K7);
    Type type = mask.type();
    return type.lanes() >= 8 && type.totalBits() >= 128 ? all : restricted(all, type.lanes());
  }

  private Mask restricted(Mask all, int lanes) {
    at.emit(moveMask(lanes), RDX.low32(), all);
    at.emit(Instruction.AND, RDX.low32(), Immediate.of((1 << lanes) - 1));
    at.emit(moveMask(lanes), K7, RDX.low32());
    return K7;
  }

  /** A predicate in k7 of all lanes of a type. Uses rdx. */
  Mask allLanes(int lanes) {
    at.constant(RDX, lanes == 64 ? -1 : (1L << lanes) - 1);
    at.emit(moveMask(lanes), K7, sized(RDX, lanes));
    return K7;
  }

  /**
   * The mask for lanes of {@code bits} bits, as a vector that is 0 above its lanes, in the second
   * scratch register or in that of the mask.
   */
  Vector maskVector(Reg mask, int bits) {
    Type type = mask.type();
    Type resized = Type.mask(bits, type.lanes());
    Vector value = at.register(mask, 1);
    if (type.bits() != bits) {
      Vector other = at.scratch(1, resized);
      narrowing.narrow(other, value, type, bits);
      value = other;
    }
    if (resized.totalBits() < 128) {
      Vector first = at.scratch(1, resized);
      at.emit(VPAND, first, value, at.fullOperand(first(resized, resized.lanes())));
      value = first;
    }
    return value;
  }

  /** A vector of a mask of all lanes of a type, 0 above them, in the second scratch register. */
  Vector allLanesVector(Type type) {
    Vector all = at.scratch(1, type);
    if (type.totalBits() < 128) {
      at.load(all, first(type, type.lanes()));
    } else {
      at.emit(VPCMPEQD, all, all, all);
    }
    return all;
  }
}
