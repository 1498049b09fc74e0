package org.relaxvm.compiler.type.check;

import java.util.List;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.type.AnyType;
import org.relaxvm.compiler.type.FuncType;
import org.relaxvm.compiler.type.PrimType;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.TensorShape;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.arith.Analyzer;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/** Whether a type is a base of another. Source: docs/spec/relax-ir.md, section 8.2. */
public class BaseCheck {
  private final Analyzer analyzer;

  /** A check that knows of variables what an analyzer knows. */
  public BaseCheck(Analyzer analyzer) {
    this.analyzer = analyzer;
  }

  /** Whether each value of a type is certainly of another. */
  public static boolean isBaseOf(Type base, Type derived, Analyzer analyzer) {
    return new BaseCheck(analyzer).check(base, derived) == Fit.PASS;
  }

  /** How well a value of a type stands where another is expected. */
  public final Fit check(Type base, Type derived) {
    if (base instanceof AnyType) {
      return Fit.PASS;
    }
    if (derived instanceof AnyType) {
      return Fit.NEEDS_TYPE_CHECK;
    }
    return switch (base) {
      case AnyType any -> Fit.PASS;
      case PrimType prim -> prim.equals(derived) ? Fit.PASS : Fit.IMPOSSIBLE;
      case ShapeType shape ->
          derived instanceof ShapeType other ? check(shape, other) : Fit.IMPOSSIBLE;
      case TensorType tensor ->
          derived instanceof TensorType other ? check(tensor, other) : Fit.IMPOSSIBLE;
      case TupleType(var fields) ->
          derived instanceof TupleType(var others) ? checkAll(fields, others) : Fit.IMPOSSIBLE;
      case FuncType function ->
          derived instanceof FuncType other ? check(function, other) : Fit.IMPOSSIBLE;
    };
  }

  private Fit check(ShapeType base, ShapeType derived) {
    Fit rank = rank(base.ndim(), derived.ndim());
    return rank == Fit.PASS ? dims(base.dims(), derived.dims()) : rank;
  }

  private Fit rank(int base, int derived) {
    if (base == ShapeType.UNKNOWN || base == derived) {
      return Fit.PASS;
    }
    return derived == ShapeType.UNKNOWN ? Fit.NEEDS_TYPE_CHECK : Fit.IMPOSSIBLE;
  }

  private Fit dims(Optional<List<PrimExpr>> base, Optional<List<PrimExpr>> derived) {
    if (base.isEmpty()) {
      return Fit.PASS;
    }
    if (derived.isEmpty()) {
      return Fit.NEEDS_SHAPE_CHECK;
    }
    Fit fit = Fit.PASS;
    for (int i = 0; i < base.get().size(); i++) {
      fit = fit.and(dim(base.get().get(i), derived.get().get(i)));
    }
    return fit;
  }

  /** How well an extent stands where another is expected. */
  protected Fit dim(PrimExpr base, PrimExpr derived) {
    if (base.equals(derived)) {
      return Fit.PASS;
    }
    PrimExpr a = analyzer.simplify(base);
    PrimExpr b = analyzer.simplify(derived);
    if (a instanceof IntImm && b instanceof IntImm) {
      return a.equals(b) ? Fit.PASS : Fit.IMPOSSIBLE;
    }
    return analyzer.canProveEqual(a, b) ? Fit.PASS : Fit.NEEDS_SHAPE_CHECK;
  }

  /** How well a shape stands where another is expected. Both have the same number of axes. */
  protected Fit shape(TensorShape base, TensorShape derived) {
    if (base instanceof TensorShape.Known && derived instanceof TensorShape.Known) {
      // Also where they are equal: a function that calls itself learns its symbols here.
      return dims(base.dims(), derived.dims());
    }
    return base.equals(derived) ? Fit.PASS : Fit.NEEDS_SHAPE_CHECK;
  }

  private Fit check(TensorType base, TensorType derived) {
    Fit fit = dtype(base.dtype(), derived.dtype()).and(rank(base.ndim(), derived.ndim()));
    if (base.vdevice().isPresent()) {
      fit =
          fit.and(
              derived.vdevice().isEmpty()
                  ? Fit.NEEDS_TYPE_CHECK
                  : base.vdevice().equals(derived.vdevice()) ? Fit.PASS : Fit.IMPOSSIBLE);
    }
    if (base.shape().isEmpty() || fit == Fit.IMPOSSIBLE) {
      return fit;
    }
    return derived.shape().isEmpty()
        ? fit.and(Fit.NEEDS_SHAPE_CHECK)
        : fit.and(shape(base.shape().get(), derived.shape().get()));
  }

  private static Fit dtype(Optional<DType> base, Optional<DType> derived) {
    if (base.isEmpty() || base.equals(derived)) {
      return Fit.PASS;
    }
    return derived.isEmpty() ? Fit.NEEDS_TYPE_CHECK : Fit.IMPOSSIBLE;
  }

  private Fit checkAll(List<Type> base, List<Type> derived) {
    if (base.size() != derived.size()) {
      return Fit.IMPOSSIBLE;
    }
    Fit fit = Fit.PASS;
    for (int i = 0; i < base.size(); i++) {
      fit = fit.and(check(base.get(i), derived.get(i)));
    }
    return fit;
  }

  private Fit check(FuncType base, FuncType derived) {
    if (base.isPure() && !derived.isPure()) {
      return Fit.IMPOSSIBLE;
    }
    // Symbolic variables of the two are different ones: extents are compared when it is called.
    BaseCheck plain = new BaseCheck(analyzer);
    if (base.isOpaque()) {
      if (base.derivesByTypeArgs()) {
        return derived.derivesByTypeArgs() ? Fit.PASS : Fit.NEEDS_SHAPE_CHECK;
      }
      return plain.check(base.result(), derived.result());
    }
    if (derived.isOpaque()) {
      return Fit.NEEDS_SHAPE_CHECK;
    }
    if (TypeEquality.areEqual(base, derived)) {
      return Fit.PASS;
    }
    Fit params = plain.checkAll(base.params().orElseThrow(), derived.params().orElseThrow());
    return (params == Fit.NEEDS_TYPE_CHECK ? Fit.NEEDS_SHAPE_CHECK : params)
        .and(plain.check(base.result(), derived.result()));
  }
}
