package org.relaxvm.compiler.ir;

import java.util.Optional;
import org.relaxvm.compiler.type.Type;

/**
 * The name of a function of a module. What type it has, the module says.
 *
 * @param name unique in the module
 */
public record GlobalVar(String name) implements Expr {
  @Override
  public Optional<Type> knownType() {
    return Optional.empty();
  }

  @Override
  public String toString() {
    return "cls." + name;
  }
}
