package org.relaxvm.compiler.ir;

/** Gives a value a name. */
public sealed interface Binding permits VarBinding, MatchCast {
  /** The name. */
  RelaxVar var();

  /** The value. */
  Expr value();
}
