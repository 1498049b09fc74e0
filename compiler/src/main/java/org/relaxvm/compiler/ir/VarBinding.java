package org.relaxvm.compiler.ir;

/** Gives the value of an expression a name. */
public record VarBinding(RelaxVar var, Expr value) implements Binding {
  @Override
  public String toString() {
    return var.name() + " = " + ExprText.print(value);
  }
}
