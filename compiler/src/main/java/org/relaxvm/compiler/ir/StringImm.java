package org.relaxvm.compiler.ir;

import java.util.Optional;
import org.relaxvm.compiler.type.AnyType;
import org.relaxvm.compiler.type.Type;

/** A text. */
public record StringImm(String value) implements Expr {
  @Override
  public Optional<Type> knownType() {
    return Optional.of(AnyType.ANY);
  }

  @Override
  public String toString() {
    return ExprText.print(this);
  }
}
