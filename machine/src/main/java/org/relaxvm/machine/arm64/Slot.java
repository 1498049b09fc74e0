package org.relaxvm.machine.arm64;

/** What an operand of a form may be, and the bits of the instruction that hold it. */
sealed interface Slot
    permits ElementSlot,
        GpSlot,
        ImmediateSlot,
        LabelSlot,
        ListSlot,
        MemorySlot,
        ModifierSlot,
        NameSlot,
        ScalarSlot,
        VectorSlot {

  /**
   * Whether an operand is of the kind of this slot. This rejects most forms of an instruction
   * before sizes are compared.
   */
  boolean isKind(Operand operand);

  /**
   * Whether an operand of the kind of this slot fits.
   *
   * @param operands all operands of the instruction
   * @param index which of them this slot is for
   * @param shape the sizes that the operands state
   */
  boolean fits(Operand[] operands, int index, Shape shape);

  /** The bits of an operand that fits. */
  int encode(Operand[] operands, int index, Shape shape);
}
