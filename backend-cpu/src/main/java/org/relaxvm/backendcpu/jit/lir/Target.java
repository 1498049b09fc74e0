package org.relaxvm.backendcpu.jit.lir;

/** What a processor has, as far as the choice of instructions depends on it. Thread-safe. */
public interface Target {
  /** The bits of a vector register. */
  int vectorBits();

  /** How many vector registers virtual registers may share. */
  int vectorRegisters();

  /** Whether elements of so many bits can be read and written under a mask. */
  boolean hasMaskedAccess(int elementBits);

  /**
   * Whether an operation can be emitted.
   *
   * @param operand the type of its last operand
   */
  boolean supports(Op op, Type result, Type operand);

  /** Whether lanes of a type can be compared. */
  boolean supports(Relation relation, Type operands);

  /** Whether elements can be read from several addresses. */
  boolean supportsGather(Type result, Type index);
}
