package org.relaxvm.machine.x64;

/** An operand of an instruction: a register, memory or a constant. Immutable. */
public sealed interface Operand permits Address, Gp, Immediate, Mask, Vector {}
