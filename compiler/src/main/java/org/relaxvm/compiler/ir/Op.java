package org.relaxvm.compiler.ir;

import java.util.Optional;
import org.relaxvm.compiler.type.Type;

/** An operator, such as {@code relax.add}: what calls of it mean, its implementation says. */
public non-sealed interface Op extends Expr {
  /** The name without {@code relax.}, such as {@code nn.relu}. */
  String name();

  /** Whether a call has no effect but its result. */
  boolean isPure();

  @Override
  default Optional<Type> knownType() {
    return Optional.empty();
  }
}
