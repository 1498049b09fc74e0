package org.relaxvm.compiler.ir;

import java.util.List;
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
  private final List<String> sourceNodes;

  /** A new variable. */
  public RelaxVar(String name, Type type) {
    this(name, type, List.of());
  }

  /**
   * A new variable that is bound to what nodes of an imported model compute.
   *
   * @param sourceNodes the names of the nodes, in the order of execution
   */
  public RelaxVar(String name, Type type, List<String> sourceNodes) {
    this.name = name;
    this.type = type;
    this.sourceNodes = List.copyOf(sourceNodes);
  }

  /** The name, which other variables may have too. */
  @Override
  public final String name() {
    return name;
  }

  /**
   * The names of the nodes of an imported model that compute the value, in the order of execution;
   * empty where the program was not imported. They do not change what a program computes.
   *
   * <p>Rationale: docs/rationale/compiler.md, "Why do variables have the names of source nodes?"
   */
  public final List<String> sourceNodes() {
    return sourceNodes;
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
    return new RelaxVar(name, newType, sourceNodes);
  }

  /**
   * A variable of the same kind, name and type with other source nodes; this one if it has them.
   */
  public RelaxVar withSourceNodes(List<String> nodes) {
    return nodes.equals(sourceNodes) ? this : new RelaxVar(name, type, nodes);
  }

  @Override
  public final String toString() {
    return name;
  }
}
