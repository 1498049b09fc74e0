package org.relaxvm.compiler.ir;

import org.relaxvm.compiler.type.Type;

/**
 * Gives a value a name and says what it is. The program checks that when it runs. A symbolic
 * variable that stands alone as an extent in the type and is not known yet becomes known here.
 *
 * @param var has the target as its type, even when more is known of the value
 * @param target what the value is
 */
public record MatchCast(RelaxVar var, Expr value, Type target) implements Binding {
  @Override
  public String toString() {
    return var.name() + " = R.match_cast(" + ExprText.print(value) + ", " + target + ")";
  }
}
