package org.relaxvm.compiler.ir;

import java.util.List;
import java.util.Optional;
import org.relaxvm.compiler.type.FuncType;
import org.relaxvm.compiler.type.Type;

/**
 * A function over tensors.
 *
 * @param params the parameters
 * @param body what it gives
 * @param resultType what is known of the result outside
 * @param isPure whether a call has no effect but its result
 * @param attrs attributes for passes and devices; {@value #GLOBAL_SYMBOL} makes it public
 */
public record RelaxFunction(
    List<RelaxVar> params, SeqExpr body, Type resultType, boolean isPure, Attrs attrs)
    implements Expr, ModuleFunction {
  /** The name by which a function is seen outside of its module. */
  public static final String GLOBAL_SYMBOL = "global_symbol";

  /** Set to 1 on groups of operators that become one kernel. */
  public static final String PRIMITIVE = "Primitive";

  /** Set where effects are no longer looked at. */
  public static final String FORCE_PURE = "relax.force_pure";

  /** How many of the first parameters are inputs; the others are weights. */
  public static final String NUM_INPUT = "num_input";

  /** Copies the list. */
  public RelaxFunction {
    params = List.copyOf(params);
  }

  @Override
  public FuncType functionType() {
    return FuncType.of(params.stream().map(RelaxVar::type).toList(), resultType, isPure);
  }

  @Override
  public Optional<Type> knownType() {
    return Optional.of(functionType());
  }

  /** The same function with another body and what that gives. */
  public RelaxFunction withBody(SeqExpr newBody, Type newResultType) {
    return new RelaxFunction(params, newBody, newResultType, isPure, attrs);
  }

  /** The same function with other attributes. */
  public RelaxFunction withAttrs(Attrs newAttrs) {
    return new RelaxFunction(params, body, resultType, isPure, newAttrs);
  }

  /** Whether it is a group of operators that becomes one kernel. */
  public boolean isPrimitive() {
    return attrs.bool(PRIMITIVE).orElse(false);
  }

  @Override
  public String toString() {
    return ExprText.print(this);
  }
}
