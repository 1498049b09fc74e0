package org.relaxvm.backendcpu.jit.x64;

import static org.relaxvm.machine.x64.Instruction.*;

import java.util.List;
import org.relaxvm.backendcpu.jit.lir.Relation;
import org.relaxvm.machine.x64.Condition;
import org.relaxvm.machine.x64.Instruction;

/** Conditions of flags, and the instructions that read them. */
final class Conditions {
  /** In the order of the conditions. */
  private static final List<Instruction> MOVES =
      List.of(
          CMOVO, CMOVNO, CMOVB, CMOVAE, CMOVE, CMOVNE, CMOVBE, CMOVA, CMOVS, CMOVNS, CMOVP, CMOVNP,
          CMOVL, CMOVGE, CMOVLE, CMOVG);

  /** In the order of the conditions. */
  private static final List<Instruction> SETS =
      List.of(
          SETO,
          SETNO,
          SETB,
          SETAE,
          SETE,
          SETNE,
          SETBE,
          SETA,
          Instruction.SETS,
          SETNS,
          SETP,
          SETNP,
          SETL,
          SETGE,
          SETLE,
          SETG);

  private Conditions() {}

  /** The condition after words were compared. */
  static Condition of(Relation relation) {
    return switch (relation) {
      case EQ -> Condition.E;
      case NE -> Condition.NE;
      case LT -> Condition.L;
      case LE -> Condition.LE;
      case GT -> Condition.G;
      case GE -> Condition.GE;
      case ULT -> Condition.B;
      case ULE -> Condition.BE;
      case UGT -> Condition.A;
      case UGE -> Condition.AE;
    };
  }

  /** The instruction that copies a word if a condition holds. */
  static Instruction move(Condition condition) {
    return MOVES.get(condition.ordinal());
  }

  /** The instruction that sets a byte to 1 if a condition holds, else to 0. */
  static Instruction set(Condition condition) {
    return SETS.get(condition.ordinal());
  }

  /** Whether a relation holds of two words. */
  static boolean holds(Relation relation, long a, long b) {
    return switch (relation) {
      case EQ -> a == b;
      case NE -> a != b;
      case LT -> a < b;
      case LE -> a <= b;
      case GT -> a > b;
      case GE -> a >= b;
      case ULT -> Long.compareUnsigned(a, b) < 0;
      case ULE -> Long.compareUnsigned(a, b) <= 0;
      case UGT -> Long.compareUnsigned(a, b) > 0;
      case UGE -> Long.compareUnsigned(a, b) >= 0;
    };
  }
}
