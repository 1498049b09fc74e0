package org.relaxvm.interoprelay.translate.code;

/** An argument of a call. Immutable. */
public sealed interface Operand {
  /** The register with a number. */
  record Register(int number) implements Operand {}

  /** A tensor, shape, string, data type, integer or float. */
  record Constant(Object value) implements Operand {}

  /** A function of the program that is translated, as a closure. */
  record ProgramFunction(String name) implements Operand {}

  /** A function that is found by name when the program is linked. */
  record PackedFunction(String name) implements Operand {}

  /** The VM context. */
  record Context() implements Operand {}

  /** Null. */
  record Nothing() implements Operand {}

  /** The register with a number. */
  static Operand register(int number) {
    return new Register(number);
  }

  /** A constant; an integer becomes an immediate where it fits. */
  static Operand constant(Object value) {
    return new Constant(value);
  }
}
