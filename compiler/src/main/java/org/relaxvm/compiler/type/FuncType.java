package org.relaxvm.compiler.type;

import java.util.List;
import java.util.Optional;

/**
 * A function.
 *
 * @param params the types of the parameters; empty when they are not known: an opaque function
 * @param result the type of the result; of an opaque function that derives it, {@link AnyType}
 * @param isPure whether a call has no effect but its result
 * @param derivesByTypeArgs whether a call of an opaque function says itself what it gives, by its
 *     type arguments: of none anything, of one that, of more a tuple of them
 */
public record FuncType(
    Optional<List<Type>> params, Type result, boolean isPure, boolean derivesByTypeArgs)
    implements Type {
  /** The name of the function that derives results by type arguments, as Apache TVM names it. */
  public static final String BY_TYPE_ARGS = "tvm.relax.type.infer_by_ty_args";

  /** Copies the list. */
  public FuncType {
    params = params.map(List::copyOf);
  }

  /** A function of known parameters. */
  public static FuncType of(List<? extends Type> params, Type result, boolean isPure) {
    return new FuncType(Optional.of(List.copyOf(params)), result, isPure, false);
  }

  /** A function of unknown parameters with a known result. */
  public static FuncType opaque(Type result, boolean isPure) {
    return new FuncType(Optional.empty(), result, isPure, false);
  }

  /** A packed function: impure, and each call says what it gives. */
  public static FuncType packed() {
    return new FuncType(Optional.empty(), AnyType.ANY, false, true);
  }

  /** Whether the parameters are not known. */
  public boolean isOpaque() {
    return params.isEmpty();
  }

  @Override
  public String toString() {
    return TypeText.print(this);
  }
}
