package org.relaxvm.compiler.ir;

import java.util.List;
import java.util.Optional;
import org.relaxvm.compiler.type.Type;

/**
 * A call of an operator, of a function of the module, of a packed function or of a function that is
 * a value.
 *
 * @param callee in normal form a leaf
 * @param args in normal form leaves
 * @param attrs options of the operator
 * @param typeArgs what the caller says of the result; {@link
 *     org.relaxvm.compiler.type.TupleType#VOID} as the only one means no result
 * @param knownType what is known of the result; empty as long as nobody derived it
 */
public record Call(
    Expr callee, List<Expr> args, Attrs attrs, List<Type> typeArgs, Optional<Type> knownType)
    implements Expr {
  /** Copies the lists. */
  public Call {
    args = List.copyOf(args);
    typeArgs = List.copyOf(typeArgs);
  }

  /** A call whose type is to be derived. */
  public static Call of(Expr callee, Expr... args) {
    return new Call(callee, List.of(args), Attrs.NONE, List.of(), Optional.empty());
  }

  /** A call with options whose type is to be derived. */
  public static Call of(Expr callee, List<? extends Expr> args, Attrs attrs) {
    return new Call(callee, List.copyOf(args), attrs, List.of(), Optional.empty());
  }

  /** A call with options and type arguments whose type is to be derived. */
  public static Call of(
      Expr callee, List<? extends Expr> args, Attrs attrs, List<? extends Type> typeArgs) {
    return new Call(callee, List.copyOf(args), attrs, List.copyOf(typeArgs), Optional.empty());
  }

  /** A call of a packed function. */
  public static Call packed(String name, List<? extends Expr> args, List<? extends Type> typeArgs) {
    return of(new ExternFunc(name), args, Attrs.NONE, typeArgs);
  }

  /** The same call with what is known of its result. */
  public Call withType(Type type) {
    return new Call(callee, args, attrs, typeArgs, Optional.of(type));
  }

  /** The same call of other arguments; its type is to be derived again. */
  public Call withArgs(List<? extends Expr> newArgs) {
    return new Call(callee, List.copyOf(newArgs), attrs, typeArgs, Optional.empty());
  }

  /** Whether an operator of this name is called. */
  public boolean isOf(String operator) {
    return callee instanceof Op op && op.name().equals(operator);
  }

  @Override
  public String toString() {
    return ExprText.print(this);
  }
}
