package org.relaxvm.compiler.ir;

import java.util.Optional;
import org.relaxvm.compiler.type.FuncType;
import org.relaxvm.compiler.type.Type;

/**
 * A packed function, found by its name when a program is linked.
 *
 * @param symbol the name
 * @param functionType what is known of it
 */
public record ExternFunc(String symbol, FuncType functionType) implements Expr, ModuleFunction {
  /** A packed function of which nothing is known. */
  public ExternFunc(String symbol) {
    this(symbol, FuncType.packed());
  }

  @Override
  public Optional<Type> knownType() {
    return Optional.of(functionType);
  }

  @Override
  public String toString() {
    return ExprText.print(this);
  }
}
