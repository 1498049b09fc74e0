package org.relaxvm.compiler.pass.recognize;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.Predicate;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Constant;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.elementwise.Conversions;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.tir.arith.Analyzer;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/** Looks at what expressions are bound to, for matching. Not thread-safe. */
final class Composites {
  private final Function<RelaxVar, Optional<Expr>> bindings;
  private final Predicate<RelaxVar> usedOnce;
  private final Analyzer analyzer;

  /**
   * @param bindings what variables are bound to
   * @param usedOnce whether a variable has at most one use in the program as it was
   */
  Composites(
      Function<RelaxVar, Optional<Expr>> bindings,
      Predicate<RelaxVar> usedOnce,
      Analyzer analyzer) {
    this.bindings = bindings;
    this.usedOnce = usedOnce;
    this.analyzer = analyzer;
  }

  /** Whether a value has no other use than the one that it was found by. */
  boolean isUsedOnce(Expr value) {
    return value instanceof RelaxVar var && usedOnce.test(var);
  }

  /** The call of an operator that gives a value. */
  Optional<Call> call(Expr value, OpDef operator) {
    return bound(value) instanceof Call call && call.callee().equals(operator)
        ? Optional.of(call)
        : Optional.empty();
  }

  /** What a value is bound to, or the value itself. */
  Expr bound(Expr value) {
    return value instanceof RelaxVar var ? bindings.apply(var).orElse(value) : value;
  }

  /**
   * A value before it was cast from one float dtype to another, of at most 32 bits: composites are
   * computed in float32 at least.
   */
  Expr uncast(Expr value) {
    Expr now = value;
    Optional<Call> cast = call(now, Conversions.ASTYPE);
    while (cast.isPresent() && isNarrow(now) && isNarrow(cast.get().args().getFirst())) {
      now = cast.get().args().getFirst();
      cast = call(now, Conversions.ASTYPE);
    }
    return now;
  }

  private static boolean isNarrow(Expr value) {
    return dtype(value)
        .filter(dtype -> dtype.isFloat() && dtype.bits() <= DType.FLOAT32.bits())
        .isPresent();
  }

  /** Whether two operands are the same value. */
  @SuppressWarnings("ReferenceEquality") // leaves of one value are one object
  boolean isSame(Expr a, Expr b) {
    return a == b || (a instanceof RelaxVar && a.equals(b));
  }

  /** A number: a scalar, or a constant of one element that adds no axis to a tensor. */
  OptionalDouble number(Expr value, int ndim) {
    return switch (bound(value)) {
      case PrimValue scalar -> scalar(scalar.value());
      case Constant constant
          when constant.data().elementCount() == 1
              && constant.data().shape().rank() <= ndim
              && (constant.data().dtype().isFloat() || constant.data().dtype().isInteger())
              && constant.data().dtype().isByteAligned() ->
          OptionalDouble.of(constant.data().toDoubleArray()[0]);
      default -> OptionalDouble.empty();
    };
  }

  private static OptionalDouble scalar(PrimExpr value) {
    return switch (value) {
      case FloatImm number -> OptionalDouble.of(number.value());
      case IntImm number -> OptionalDouble.of(number.value());
      default -> OptionalDouble.empty();
    };
  }

  /** Whether a value is a number, up to the rounding of float32. */
  boolean isNumber(Expr value, int ndim, double expected) {
    OptionalDouble number = number(value, ndim);
    return number.isPresent() && isNear(number.getAsDouble(), expected);
  }

  static boolean isNear(double number, double expected) {
    return Math.abs(number - expected) <= 1e-5 * Math.abs(expected);
  }

  /** A tensor without axes. */
  static Expr scalar(DType dtype, double value) {
    Tensor scalar = Tensor.zeros(dtype, Shape.of());
    scalar.fill(value);
    return new Constant(scalar);
  }

  /** The dtype of a tensor, where it is known. */
  static Optional<DType> dtype(Expr value) {
    return value.knownType().orElse(null) instanceof TensorType type
        ? type.dtype()
        : Optional.empty();
  }

  /** The number of axes of a tensor, or -1. */
  static int ndim(Expr value) {
    return value.knownType().orElse(null) instanceof TensorType type && type.hasRank()
        ? type.ndim()
        : -1;
  }

  /** The extents of a tensor, where they are known. */
  static Optional<List<PrimExpr>> dims(Expr value) {
    return value.knownType().orElse(null) instanceof TensorType type
        ? type.dims()
        : Optional.empty();
  }

  /** Whether two extents are surely equal. */
  boolean isEqual(PrimExpr a, PrimExpr b) {
    return a.equals(b) || analyzer.canProveEqual(a, b);
  }

  /** Whether a shape is surely another one. */
  boolean isEqual(List<PrimExpr> a, List<PrimExpr> b) {
    if (a.size() != b.size()) {
      return false;
    }
    for (int axis = 0; axis < a.size(); axis++) {
      if (!isEqual(a.get(axis), b.get(axis))) {
        return false;
      }
    }
    return true;
  }

  /** The extents of two tensors when broadcast; empty where they are not surely such. */
  Optional<List<PrimExpr>> broadcast(List<PrimExpr> a, List<PrimExpr> b) {
    if (a.size() < b.size()) {
      return broadcast(b, a);
    }
    List<PrimExpr> dims = new ArrayList<>(a);
    for (int axis = 0; axis < b.size(); axis++) {
      int at = axis + a.size() - b.size();
      if (a.get(at).equals(IntImm.of(1))) {
        dims.set(at, b.get(axis));
      } else if (!b.get(axis).equals(IntImm.of(1)) && !isEqual(a.get(at), b.get(axis))) {
        return Optional.empty();
      }
    }
    return Optional.of(dims);
  }
}
