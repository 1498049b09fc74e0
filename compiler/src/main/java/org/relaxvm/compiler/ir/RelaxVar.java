package org.relaxvm.compiler.ir;

import java.util.Optional;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.ShapeVar;
import org.relaxvm.compiler.type.Type;

/**
 * A variable of a program: a parameter, or what a binding gives a name. Equal to itself only; the
 * name is for people. (Symbolic extents are variables of another kind: {@link
 * org.relaxvm.tir.expr.Var}.)
 *
 * <p>Rationale: docs/rationale/compiler.md, "Why are there two kinds of variables?"
 */
public sealed class RelaxVar implements Expr, ShapeVar permits DataflowVar {
  private final String name;
  private final Type type;

  /** A new variable. */
  public RelaxVar(String name, Type type) {
    this.name = name;
    this.type = type;
  }

  /** The name, which other variables may have too. */
  @Override
  public final String name() {
    return name;
  }

  @Override
  public final Optional<Type> knownType() {
    return Optional.of(type);
  }

  @Override
  public final ShapeType shapeType() {
    if (type instanceof ShapeType shape) {
      return shape;
    }
    throw new InvalidProgramException(
        ErrorKind.TYPE, "the variable " + name + " must be a shape, but is " + type);
  }

  /** A new variable of the same kind and name. */
  public RelaxVar renewed(Type newType) {
    return new RelaxVar(name, newType);
  }

  @Override
  public final String toString() {
    return name;
  }
}
