package org.relaxvm.compiler.ir;

import java.util.Optional;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.type.Type;

/**
 * An expression of a program. Immutable. Records are equal when they are the same tree; variables
 * and constants are equal to themselves only.
 *
 * <p>In a program that is in normal form each expression has a type, and only leaves are parts of
 * others.
 */
public sealed interface Expr
    permits RelaxVar,
        GlobalVar,
        Constant,
        ShapeExpr,
        StringImm,
        DataTypeImm,
        PrimValue,
        Tuple,
        TupleGetItem,
        Call,
        SeqExpr,
        If,
        RelaxFunction,
        ExternFunc,
        Op {
  /**
   * What is known of the value; empty as long as nobody derived it, and of operators and global
   * variables, which have no value of their own.
   */
  Optional<Type> knownType();

  /**
   * What is known of the value.
   *
   * @throws InvalidProgramException an {@code InternalError} when nobody derived it so far
   */
  default Type type() {
    return knownType()
        .orElseThrow(
            () ->
                new InvalidProgramException(
                    ErrorKind.VALUE,
                    "the expression "
                        + ExprText.print(this)
                        + " has no type\n  what to do: normalize the program first"));
  }

  /** Whether it may be a part of another expression in normal form. */
  default boolean isLeaf() {
    return switch (this) {
      case Call call -> false;
      case TupleGetItem item -> false;
      case SeqExpr seq -> false;
      case If branch -> false;
      case RelaxFunction function -> false;
      default -> true;
    };
  }
}
