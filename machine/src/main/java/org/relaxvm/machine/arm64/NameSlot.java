package org.relaxvm.machine.arm64;

/**
 * An operand that has a name: a condition, a barrier, a prefetch, a system register.
 *
 * @param kind which of them
 */
record NameSlot(Kind kind) implements Slot {

  /** What is named. */
  enum Kind {
    CONDITION,
    /** The condition of a branch. */
    BRANCH_CONDITION,
    /** A condition other than {@code al}, of which the opposite is encoded. */
    NEGATED_CONDITION,
    BARRIER,
    PREFETCH,
    SYSTEM_REGISTER,
    WRITABLE_SYSTEM_REGISTER
  }

  private static final int CONDITION_AT = 12;
  private static final int BARRIER_AT = 8;

  @Override
  public boolean isKind(Operand operand) {
    return switch (kind) {
      case CONDITION, BRANCH_CONDITION -> operand instanceof Condition;
      case NEGATED_CONDITION -> operand instanceof Condition && operand != Condition.AL;
      case BARRIER -> operand instanceof Barrier;
      case PREFETCH -> operand instanceof Prefetch;
      case SYSTEM_REGISTER -> operand instanceof SystemRegister;
      case WRITABLE_SYSTEM_REGISTER ->
          operand instanceof SystemRegister register && register.isWritable();
    };
  }

  @Override
  public boolean fits(Operand[] operands, int index, Shape shape) {
    return true;
  }

  @Override
  public int encode(Operand[] operands, int index, Shape shape) {
    Operand operand = operands[index];
    return switch (kind) {
      case CONDITION -> ((Condition) operand).ordinal() << CONDITION_AT;
      case BRANCH_CONDITION -> ((Condition) operand).ordinal();
      case NEGATED_CONDITION -> ((Condition) operand).negated().ordinal() << CONDITION_AT;
      case BARRIER -> ((Barrier) operand).number() << BARRIER_AT;
      case PREFETCH -> ((Prefetch) operand).number();
      case SYSTEM_REGISTER, WRITABLE_SYSTEM_REGISTER -> ((SystemRegister) operand).encoding();
    };
  }
}
