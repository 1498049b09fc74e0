package org.relaxvm.backendcpu.jit.x64;

import static org.relaxvm.backendcpu.jit.x64.Locations.RAX;
import static org.relaxvm.backendcpu.jit.x64.Locations.RDX;
import static org.relaxvm.machine.x64.Instruction.*;

import java.util.List;
import org.relaxvm.backendcpu.jit.lir.Op;
import org.relaxvm.backendcpu.jit.lir.Operand;
import org.relaxvm.backendcpu.jit.lir.Operand.Imm;
import org.relaxvm.backendcpu.jit.lir.Operand.Reg;
import org.relaxvm.backendcpu.jit.lir.Relation;
import org.relaxvm.machine.x64.Address;
import org.relaxvm.machine.x64.Condition;
import org.relaxvm.machine.x64.Gp;
import org.relaxvm.machine.x64.Immediate;
import org.relaxvm.machine.x64.Instruction;

/** Operations on words. */
final class WordOps {
  private final Locations at;

  WordOps(Locations at) {
    this.at = at;
  }

  void compute(Op op, Reg result, List<Operand> args) {
    Operand a = args.getFirst();
    switch (op) {
      case MOVE -> move(result, a);
      case ADD -> add(result, a, args.get(1));
      case SUB -> subtract(result, a, args.get(1));
      case MUL -> multiply(result, a, args.get(1));
      case AND -> commutative(Instruction.AND, result, a, args.get(1));
      case OR -> commutative(Instruction.OR, result, a, args.get(1));
      case XOR -> commutative(Instruction.XOR, result, a, args.get(1));
      case AND_NOT -> andNot(result, a, args.get(1));
      case NOT -> unary(Instruction.NOT, result, a);
      case NEG -> unary(Instruction.NEG, result, a);
      case ABS -> absolute(result, a);
      case SHL, SHR, SAR -> shift(op, result, a, args.get(1));
      case DIV, REM, UDIV, UREM -> divide(op, result, a, args.get(1));
      case MIN -> choose(Condition.G, result, a, args.get(1));
      case MAX -> choose(Condition.L, result, a, args.get(1));
      case UMIN -> choose(Condition.A, result, a, args.get(1));
      case UMAX -> choose(Condition.B, result, a, args.get(1));
      case SELECT -> select(result, a, args.get(1), args.get(2));
      case SIGN8, SIGN16, SIGN32, ZERO8, ZERO16, ZERO32 -> extend(op, result, a);
      default -> throw new IllegalArgumentException(op + " is no operation on words");
    }
  }

  private void move(Reg result, Operand a) {
    boolean isStored = !at.isInRegister(result) && a instanceof Imm(long value) && isShort(value);
    if (isStored) {
      at.emit(MOV, at.wordOrMemory(result), Immediate.of(((Imm) a).value()));
    } else {
      at.finish(result, at.word(a, at.targetWord(result, RAX)));
    }
  }

  private static boolean isShort(long value) {
    return value == (int) value;
  }

  private void add(Reg result, Operand a, Operand b) {
    if (a instanceof Imm || (isSame(result, b) && !isSame(result, a))) {
      if (!(b instanceof Imm)) {
        add(result, b, a);
        return;
      }
    }
    boolean isLea =
        at.isInRegister(result)
            && at.isInRegister(a)
            && !isSame(result, a)
            && (at.isInRegister(b) || (b instanceof Imm(long value) && isShort(value)));
    if (isLea) {
      Gp base = at.word(a, RAX);
      Address sum =
          b instanceof Imm(long value)
              ? Address.of(base, (int) value)
              : Address.of(base, at.word(b, RDX), 1, 0);
      at.emit(LEA, at.targetWord(result, RAX), sum);
    } else {
      binary(ADD, result, a, b);
    }
  }

  private void subtract(Reg result, Operand a, Operand b) {
    if (b instanceof Imm(long value) && isShort(-value)) {
      add(result, a, new Imm(-value));
    } else {
      binary(SUB, result, a, b);
    }
  }

  private void multiply(Reg result, Operand a, Operand b) {
    if (a instanceof Imm && !(b instanceof Imm)) {
      multiply(result, b, a);
      return;
    }
    if (b instanceof Imm(long value) && isShort(value) && a instanceof Reg factor) {
      Gp to = at.targetWord(result, RAX);
      at.emit(IMUL, to, at.wordOrMemory(factor), Immediate.of(value));
      at.finish(result, to);
      return;
    }
    if (isSame(result, b)) {
      multiplyInto(result, b, a);
    } else {
      multiplyInto(result, a, b);
    }
  }

  private void multiplyInto(Reg result, Operand a, Operand b) {
    Gp to = isSame(result, b) ? RAX : at.targetWord(result, RAX);
    copy(to, a);
    at.emit(IMUL, to, registerOrMemory(b));
    at.finish(result, to);
  }

  private org.relaxvm.machine.x64.Operand registerOrMemory(Operand b) {
    return b instanceof Reg reg ? at.wordOrMemory(reg) : at.word(b, RDX);
  }

  private void commutative(Instruction instruction, Reg result, Operand a, Operand b) {
    boolean isSwapped = a instanceof Imm || (isSame(result, b) && !isSame(result, a));
    if (isSwapped && !(b instanceof Imm)) {
      binary(instruction, result, b, a);
    } else {
      binary(instruction, result, a, b);
    }
  }

  /** Whether both are the same virtual register or share a machine register. */
  private boolean isSame(Reg result, Operand operand) {
    return operand == result
        || (operand instanceof Reg reg
            && at.isInRegister(reg)
            && at.isInRegister(result)
            && at.word(reg, RAX).number() == at.word(result, RAX).number());
  }

  private void binary(Instruction instruction, Reg result, Operand a, Operand b) {
    boolean isInMemory =
        a == result
            && !at.isInRegister(result)
            && (at.isInRegister(b) || (b instanceof Imm(long value) && isShort(value)));
    if (isInMemory) {
      at.emit(instruction, at.wordOrMemory(result), at.wordOperand(b, RDX));
      return;
    }
    Gp to = isSame(result, b) && !isSame(result, a) ? RAX : at.targetWord(result, RAX);
    copy(to, a);
    at.emit(instruction, to, at.wordOperand(b, RDX));
    at.finish(result, to);
  }

  /** Copies an operand into a register. */
  private void copy(Gp to, Operand from) {
    at.moveWord(to, at.word(from, to));
  }

  private void andNot(Reg result, Operand a, Operand b) {
    if (b instanceof Imm(long value)) {
      commutative(Instruction.AND, result, a, new Imm(~value));
      return;
    }
    Gp to = at.targetWord(result, RAX);
    at.emit(
        ANDN, to, at.word(b, RDX), a instanceof Reg reg ? at.wordOrMemory(reg) : at.word(a, RAX));
    at.finish(result, to);
  }

  private void unary(Instruction instruction, Reg result, Operand a) {
    Gp to = at.targetWord(result, RAX);
    copy(to, a);
    at.emit(instruction, to);
    at.finish(result, to);
  }

  private void absolute(Reg result, Operand a) {
    Gp from = at.word(a, RDX);
    at.emit(MOV, RAX, from);
    at.emit(Instruction.NEG, RAX);
    at.emit(CMOVS, RAX, from);
    at.finish(result, RAX);
  }

  private void shift(Op op, Reg result, Operand a, Operand by) {
    if (by instanceof Imm(long bits)) {
      Gp to = at.targetWord(result, RAX);
      copy(to, a);
      if ((bits & 63) != 0) {
        Instruction instruction =
            op == Op.SHL ? Instruction.SHL : op == Op.SHR ? Instruction.SHR : Instruction.SAR;
        at.emit(instruction, to, Immediate.of(bits & 63));
      }
      at.finish(result, to);
      return;
    }
    Instruction instruction = op == Op.SHL ? SHLX : op == Op.SHR ? SHRX : SARX;
    Gp to = at.targetWord(result, RAX);
    at.emit(
        instruction,
        to,
        a instanceof Reg reg ? at.wordOrMemory(reg) : at.word(a, RAX),
        at.word(by, RDX));
    at.finish(result, to);
  }

  private void divide(Op op, Reg result, Operand a, Operand b) {
    boolean isSigned = op == Op.DIV || op == Op.REM;
    if (!isSigned && b instanceof Imm(long value) && Long.bitCount(value) == 1) {
      if (op == Op.UDIV) {
        shift(Op.SHR, result, a, new Imm(Long.numberOfTrailingZeros(value)));
      } else {
        commutative(Instruction.AND, result, a, new Imm(value - 1));
      }
      return;
    }
    copy(RAX, a);
    org.relaxvm.machine.x64.Operand divisor =
        b instanceof Reg reg ? at.wordOrMemory(reg) : at.wordInPool(((Imm) b).value());
    if (isSigned) {
      at.emit(CQO);
      at.emit(IDIV, divisor);
    } else {
      at.emit(Instruction.XOR, RDX.low32(), RDX.low32());
      at.emit(Instruction.DIV, divisor);
    }
    at.finish(result, op == Op.DIV || op == Op.UDIV ? RAX : RDX);
  }

  /** {@code a} unless it compares with {@code b} so, else {@code b}. */
  private void choose(Condition condition, Reg result, Operand a, Operand b) {
    if (a instanceof Imm && !(b instanceof Imm)) {
      choose(condition, result, b, a);
      return;
    }
    if (isSame(result, b) && !isSame(result, a)) {
      choose(condition, result, b, a);
      return;
    }
    org.relaxvm.machine.x64.Operand other = registerOrMemory(b);
    Gp to = at.targetWord(result, RAX);
    copy(to, a);
    at.emit(CMP, to, other);
    at.emit(Conditions.move(condition), to, other);
    at.finish(result, to);
  }

  private void select(Reg result, Operand condition, Operand a, Operand b) {
    org.relaxvm.machine.x64.Operand chosen = registerOrMemory(a);
    // The condition is tested last, since loading a constant changes the flags.
    boolean isKept = isSame(result, condition) || isSame(result, a);
    Gp to = isKept ? RAX : at.targetWord(result, RAX);
    copy(to, b);
    test(condition);
    at.emit(CMOVNE, to, chosen);
    at.finish(result, to);
  }

  /** Sets the flags by how a word compares with 0. */
  private void test(Operand word) {
    if (word instanceof Reg reg && !at.isInRegister(reg)) {
      at.emit(CMP, at.wordOrMemory(reg), Immediate.of(0));
    } else if (word instanceof Imm(long value)) {
      // No register is free for a constant: compare known words instead.
      at.emit(CMP, at.wordInPool(value), Immediate.of(0));
    } else {
      Gp register = at.word(word, RDX);
      at.emit(TEST, register, register);
    }
  }

  private void extend(Op op, Reg result, Operand a) {
    Gp from = at.word(a, RAX);
    Gp to = at.targetWord(result, RAX);
    switch (op) {
      case SIGN8 -> at.emit(MOVSX, to, from.low(8));
      case SIGN16 -> at.emit(MOVSX, to, from.low(16));
      case SIGN32 -> at.emit(MOVSXD, to, from.low32());
      case ZERO8 -> at.emit(MOVZX, to.low32(), from.low(8));
      case ZERO16 -> at.emit(MOVZX, to.low32(), from.low(16));
      default -> at.emit(MOV, to.low32(), from.low32());
    }
    at.finish(result, to);
  }

  /**
   * Compares words; returns the relation that the flags show, which is the swapped one if the
   * operands were exchanged.
   */
  Relation compare(Relation relation, Operand a, Operand b) {
    if (a instanceof Imm && !(b instanceof Imm)) {
      return compare(relation.swapped(), b, a);
    }
    if (b instanceof Imm(long value) && value == 0 && at.isInRegister(a)) {
      Gp register = at.word(a, RAX);
      at.emit(TEST, register, register);
      return relation;
    }
    boolean isInMemory =
        a instanceof Reg
            && !at.isInRegister(a)
            && (at.isInRegister(b) || (b instanceof Imm(long value) && isShort(value)));
    org.relaxvm.machine.x64.Operand first = isInMemory ? at.wordOrMemory((Reg) a) : at.word(a, RAX);
    at.emit(CMP, first, at.wordOperand(b, RDX));
    return relation;
  }

  /** {@code result = a relation b ? 1 : 0} of words. */
  void compare(Reg result, Relation relation, Operand a, Operand b) {
    Relation shown = compare(relation, a, b);
    Gp to = at.targetWord(result, RAX);
    at.emit(Conditions.set(Conditions.of(shown)), to.low(8));
    at.emit(MOVZX, to.low32(), to.low(8));
    at.finish(result, to);
  }
}
