package org.relaxvm.vmcore.verify;

import java.util.Locale;

/** What the verifier demands. Source: docs/spec/executable-format.md, section 9. */
public enum Rule {
  /** Names in the function table are not empty, and no two are equal. */
  FUNCTION_NAME("names in the function table are not empty, and no two are equal"),
  /** A function names all of its parameters or none. */
  PARAMETER_NAMES("a function names all of its parameters or none"),
  /** A packed function has an argument count of 0 or more, or the mark for "not known". */
  PACKED_FUNCTION(
      "a packed function has an argument count of 0 or more, or the mark for \"not known\""),
  /** The register file holds the arguments, and the result of compiled code, and has a limit. */
  REGISTER_FILE(
      "the register file holds the arguments, and the result of compiled code, and has a limit"),
  /** The body of a VM function is a non-empty range of the instructions. */
  BODY_RANGE("the body of a VM function is a non-empty range of the instructions"),
  /** The bodies of two functions share no instruction. */
  BODY_OVERLAP("the bodies of two functions share no instruction"),
  /** A memory scope belongs to a tensor of the constant pool. */
  MEMORY_SCOPE("a memory scope belongs to a tensor of the constant pool"),
  /** A constant is of a kind that the pool can hold. */
  CONSTANT("a constant is of a kind that the pool can hold"),
  /** Instructions follow each other without gaps, each with a known opcode and all of its words. */
  INSTRUCTION_LAYOUT(
      "instructions follow each other without gaps, each with a known opcode and all of its words"),
  /** A called or passed function is in the table. */
  FUNCTION_INDEX("a called or passed function is in the table"),
  /** A passed constant is in the pool. */
  CONSTANT_INDEX("a passed constant is in the pool"),
  /** An argument word has one of the four kinds. */
  ARGUMENT_KIND("an argument word has one of the four kinds"),
  /** A register is one of the function's, or a special one where that is allowed. */
  REGISTER("a register is one of the function's, or a special one where that is allowed"),
  /** A jump targets another instruction of the same function. */
  JUMP_TARGET("a jump targets another instruction of the same function"),
  /** Control never runs past the end of a function. */
  FALL_OFF_END("control never runs past the end of a function"),
  /** A register is written before it is read on every path. */
  DEFINITE_ASSIGNMENT("a register is written before it is read on every path"),
  /** The VM's context is passed only to builtins. */
  VM_CONTEXT("the VM's context is passed only to builtins"),
  /** There are too many findings to list all. */
  MORE_FINDINGS("there are too many findings to list all");

  private final String demand;

  Rule(String demand) {
    this.demand = demand;
  }

  /** The rule's name in messages, such as {@code body range}. */
  public String title() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  /** What the rule demands, as a clause without its full stop. */
  public String demand() {
    return demand;
  }
}
