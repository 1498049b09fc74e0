package org.relaxvm.vmcore.verify;

/** What the verifier demands. Source: executable format, section 9. */
public enum Rule {
  /** Names in the function table are not empty, and no two are equal. */
  FUNCTION_NAME,
  /** A function names all of its parameters or none. */
  PARAMETER_NAMES,
  /** A packed function has an argument count of 0 or more, or the mark for "not known". */
  PACKED_FUNCTION,
  /** The register file holds the arguments, and the result of compiled code, and has a limit. */
  REGISTER_FILE,
  /** The body of a VM function is a non-empty range of the instructions. */
  BODY_RANGE,
  /** The bodies of two functions share no instruction. */
  BODY_OVERLAP,
  /** A memory scope belongs to a tensor of the constant pool. */
  MEMORY_SCOPE,
  /** A constant is of a kind that the pool can hold. */
  CONSTANT,
  /** Instructions follow each other without gaps, each with a known opcode and all of its words. */
  INSTRUCTION_LAYOUT,
  /** A called or passed function is in the table. */
  FUNCTION_INDEX,
  /** A passed constant is in the pool. */
  CONSTANT_INDEX,
  /** An argument word has one of the four kinds. */
  ARGUMENT_KIND,
  /** A register is one of the function's, or a special one where that is allowed. */
  REGISTER,
  /** A jump aims at another instruction of the same function. */
  JUMP_TARGET,
  /** Control never runs past the end of a function. */
  FALL_OFF_END,
  /** A register is written before it is read, whichever way control took. */
  DEFINITE_ASSIGNMENT,
  /** The VM's context is passed only to builtins. */
  VM_CONTEXT,
  /** There are too many findings to list all. */
  MORE_FINDINGS
}
