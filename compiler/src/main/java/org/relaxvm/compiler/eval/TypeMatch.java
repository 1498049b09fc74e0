package org.relaxvm.compiler.eval;

import java.util.ArrayList;
import java.util.List;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.type.AnyType;
import org.relaxvm.compiler.type.FuncType;
import org.relaxvm.compiler.type.PrimText;
import org.relaxvm.compiler.type.PrimType;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.TensorShape;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;

/**
 * Compares values with what a program says of them. Symbolic variables that stand alone get their
 * values first, so that expressions of them may stand in front.
 */
final class TypeMatch {
  private final Scope scope;
  private final List<Extent> extents = new ArrayList<>();

  private record Extent(String where, PrimExpr expected, long actual) {}

  TypeMatch(Scope scope) {
    this.scope = scope;
  }

  /** Adds a value; extents are compared by {@link #solve}. */
  void add(String what, Type type, Object value) {
    switch (type) {
      case AnyType any -> {}
      case TensorType tensor -> {
        if (!(value instanceof Tensor actual) || !fits(tensor, actual)) {
          throw wrong(what, type, value);
        }
        switch (tensor.shape().orElse(null)) {
          case TensorShape.Known(List<PrimExpr> dims) -> add(what, dims, actual.shape());
          case TensorShape.OfVar(RelaxVar var) -> {
            if (!actual.shape().equals(scope.get(var))) {
              throw wrong(what, type, value);
            }
          }
          case null, default -> {}
        }
      }
      case ShapeType shape -> {
        boolean right =
            value instanceof Shape actual && (shape.ndim() < 0 || shape.ndim() == actual.rank());
        if (!right) {
          throw wrong(what, type, value);
        }
        shape.dims().ifPresent(dims -> add(what, dims, (Shape) value));
      }
      case TupleType(List<Type> fields) -> {
        if (!(value instanceof List<?> values) || values.size() != fields.size()) {
          throw wrong(what, type, value);
        }
        for (int i = 0; i < fields.size(); i++) {
          add(what + "[" + i + "]", fields.get(i), values.get(i));
        }
      }
      case PrimType(DType dtype) -> {
        boolean right =
            dtype.equals(DType.BOOL)
                ? value instanceof Boolean
                : dtype.isFloat() ? value instanceof Double : value instanceof Long;
        if (!right) {
          throw wrong(what, type, value);
        }
      }
      case FuncType function -> {
        if (!(value instanceof Closure)) {
          throw wrong(what, type, value);
        }
      }
    }
  }

  private static boolean fits(TensorType type, Tensor actual) {
    return type.dtype().map(actual.dtype()::equals).orElse(true)
        && (!type.hasRank() || type.ndim() == actual.shape().rank());
  }

  private void add(String what, List<PrimExpr> dims, Shape actual) {
    for (int axis = 0; axis < dims.size(); axis++) {
      extents.add(new Extent("extent " + axis + " of " + what, dims.get(axis), actual.dim(axis)));
    }
  }

  /** Gives symbolic variables their values and compares all extents. */
  void solve() {
    for (Extent extent : extents) {
      if (extent.expected() instanceof Var symbol && !scope.knows(symbol)) {
        scope.define(symbol, extent.actual());
      }
    }
    for (Extent extent : extents) {
      long expected = scope.integer(extent.expected());
      if (expected != extent.actual()) {
        throw new InvalidProgramException(
            ErrorKind.VALUE,
            extent.where()
                + " must be "
                + PrimText.print(extent.expected())
                + ", which is "
                + expected
                + ", but is "
                + extent.actual());
      }
    }
  }

  private static InvalidProgramException wrong(String what, Type type, Object value) {
    return new InvalidProgramException(
        ErrorKind.TYPE, what + " must be " + type + ", but is " + value);
  }
}
