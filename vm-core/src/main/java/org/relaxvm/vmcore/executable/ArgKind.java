package org.relaxvm.vmcore.executable;

/** What an argument word refers to; the ordinal is the tag in its top 8 bits. */
public enum ArgKind {
  /** A register, or one of the special registers of {@link Arg}. */
  REGISTER,
  /** A signed integer. */
  IMMEDIATE,
  /** An entry of the constant pool. */
  CONSTANT,
  /** An entry of the function table. */
  FUNCTION
}
