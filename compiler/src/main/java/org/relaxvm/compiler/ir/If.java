package org.relaxvm.compiler.ir;

import java.util.Optional;
import org.relaxvm.compiler.type.Type;

/**
 * A choice.
 *
 * @param condition a bool tensor without axes, or a boolean; in normal form a leaf
 * @param whenTrue the value when the condition holds
 * @param whenFalse the value when it does not
 * @param knownType what both values have in common; empty as long as nobody derived it
 */
public record If(Expr condition, SeqExpr whenTrue, SeqExpr whenFalse, Optional<Type> knownType)
    implements Expr {
  /** A choice whose type is to be derived. */
  public static If of(Expr condition, SeqExpr whenTrue, SeqExpr whenFalse) {
    return new If(condition, whenTrue, whenFalse, Optional.empty());
  }

  @Override
  public String toString() {
    return ExprText.print(this);
  }
}
