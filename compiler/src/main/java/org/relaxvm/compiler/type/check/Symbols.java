package org.relaxvm.compiler.type.check;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import org.relaxvm.compiler.type.AnyType;
import org.relaxvm.compiler.type.FuncType;
import org.relaxvm.compiler.type.PrimType;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.TensorShape;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;

/**
 * Symbolic variables in types, in the order of their first use. Source: docs/spec/relax-ir.md,
 * section 8.6.
 */
public final class Symbols {
  private Symbols() {}

  /** Those that stand alone as an extent: a value of the type says what they are. */
  public static SequencedSet<Var> definedBy(Type type) {
    SequencedSet<Var> found = new LinkedHashSet<>();
    addDefined(type, found);
    return found;
  }

  /** Those that values of these types say. */
  public static SequencedSet<Var> definedBy(List<? extends Type> types) {
    SequencedSet<Var> found = new LinkedHashSet<>();
    types.forEach(type -> addDefined(type, found));
    return found;
  }

  /** All of a type; functions have their own. */
  public static SequencedSet<Var> usedBy(Type type) {
    SequencedSet<Var> found = new LinkedHashSet<>();
    addUsed(type, found);
    return found;
  }

  /** All of an expression. */
  public static SequencedSet<Var> usedBy(PrimExpr expr) {
    SequencedSet<Var> found = new LinkedHashSet<>();
    add(expr, found);
    return found;
  }

  /** The extents in a type, in order. */
  public static List<PrimExpr> dims(Type type) {
    return switch (type) {
      case ShapeType shape -> shape.dims().orElse(List.of());
      case TensorType tensor ->
          tensor.shape().orElse(null) instanceof TensorShape.Known(var dims) ? dims : List.of();
      case TupleType(var fields) -> fields.stream().flatMap(field -> dims(field).stream()).toList();
      case AnyType any -> List.of();
      case PrimType prim -> List.of();
      case FuncType function -> List.of();
    };
  }

  private static void addDefined(Type type, SequencedSet<Var> found) {
    for (PrimExpr dim : dims(type)) {
      if (dim instanceof Var var) {
        found.add(var);
      }
    }
  }

  private static void addUsed(Type type, SequencedSet<Var> found) {
    dims(type).forEach(dim -> add(dim, found));
  }

  private static void add(PrimExpr expr, SequencedSet<Var> found) {
    if (expr instanceof Var var) {
      found.add(var);
    }
    expr.operands().forEach(operand -> add(operand, found));
  }
}
