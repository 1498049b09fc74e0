package org.relaxvm.backendcpu.host;

import org.relaxvm.api.ScalarTag;
import org.relaxvm.tir.expr.Var;

/** An argument of a call in a host function that is no register. */
sealed interface Operand {
  /** The context of the VM call. */
  record Context() implements Operand {}

  /** No value. */
  record Null() implements Operand {}

  /** A number that is known. */
  record Scalar(ScalarTag tag, long bits) implements Operand {}

  /** A string. */
  record Text(String text) implements Operand {}

  /** An entry of the constant pool. */
  record Constant(int index) implements Operand {}

  /** An entry of the function table. */
  record Function(int index) implements Operand {}

  /** A variable; each execution has its own value. */
  record Variable(Var var) implements Operand {}

  /** As messages show it. */
  default String shown() {
    return switch (this) {
      case Context() -> "%vm";
      case Null() -> "%void";
      case Scalar(ScalarTag tag, long bits) -> (tag == ScalarTag.INT ? "i" : "") + tag.box(bits);
      case Text(String text) -> '"' + text + '"';
      case Constant(int index) -> "c[" + index + "]";
      case Function(int index) -> "f[" + index + "]";
      case Variable(Var var) -> var.name();
    };
  }
}
