package org.relaxvm.compiler.type.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.relaxvm.compiler.type.AnyType;
import org.relaxvm.compiler.type.FuncType;
import org.relaxvm.compiler.type.PrimType;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.TensorShape;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.arith.Analyzer;
import org.relaxvm.tir.expr.PrimExpr;

/**
 * What two types have in common: their least common ancestor. Source: docs/spec/relax-ir.md,
 * section 8.3.
 */
public final class CommonType {
  private final Analyzer analyzer;

  private CommonType(Analyzer analyzer) {
    this.analyzer = analyzer;
  }

  /** What values of both types are; the first type itself when both are the same. */
  public static Type of(Type a, Type b, Analyzer analyzer) {
    return new CommonType(analyzer).common(a, b);
  }

  private Type common(Type a, Type b) {
    if (a.equals(b)) {
      return a;
    }
    return switch (a) {
      case AnyType any -> any;
      case PrimType prim -> AnyType.ANY;
      case ShapeType x -> b instanceof ShapeType y ? common(x, y) : AnyType.ANY;
      case TensorType x -> b instanceof TensorType y ? common(x, y) : AnyType.ANY;
      case TupleType(var x) ->
          b instanceof TupleType(var y) && x.size() == y.size()
              ? new TupleType(common(x, y))
              : AnyType.ANY;
      case FuncType x -> b instanceof FuncType y ? common(x, y) : AnyType.ANY;
    };
  }

  private List<Type> common(List<Type> a, List<Type> b) {
    List<Type> types = new ArrayList<>();
    for (int i = 0; i < a.size(); i++) {
      types.add(common(a.get(i), b.get(i)));
    }
    return types;
  }

  private ShapeType common(ShapeType a, ShapeType b) {
    if (a.ndim() != b.ndim()) {
      return ShapeType.unknown();
    }
    return areEqual(a.dims(), b.dims()) ? a : ShapeType.ofRank(a.ndim());
  }

  private TensorType common(TensorType a, TensorType b) {
    boolean sameRank = a.ndim() == b.ndim();
    boolean sameShape = sameRank && (a.shape().equals(b.shape()) || areEqual(a.dims(), b.dims()));
    Optional<TensorShape> shape = sameShape ? a.shape() : Optional.empty();
    return new TensorType(
        shape,
        a.dtype().equals(b.dtype()) ? a.dtype() : Optional.empty(),
        sameRank ? a.ndim() : ShapeType.UNKNOWN,
        a.vdevice().equals(b.vdevice()) ? a.vdevice() : Optional.empty());
  }

  private boolean areEqual(Optional<List<PrimExpr>> a, Optional<List<PrimExpr>> b) {
    return a.isPresent()
        && b.isPresent()
        && TypeEquality.all(a.get(), b.get(), analyzer::canProveEqual);
  }

  private Type common(FuncType a, FuncType b) {
    boolean isPure = a.isPure() && b.isPure();
    if (a.derivesByTypeArgs() || b.derivesByTypeArgs()) {
      boolean both = a.derivesByTypeArgs() && b.derivesByTypeArgs();
      return new FuncType(Optional.empty(), AnyType.ANY, isPure, both);
    }
    if (!a.isOpaque() && !b.isOpaque()) {
      List<Type> x = a.params().orElseThrow();
      List<Type> y = b.params().orElseThrow();
      if (TypeEquality.areEqual(a, new FuncType(b.params(), b.result(), a.isPure(), false))) {
        return a.isPure() == isPure ? a : FuncType.of(x, a.result(), isPure);
      }
      if (x.size() == y.size()) {
        return FuncType.of(common(x, y), common(a.result(), b.result()), isPure);
      }
    }
    return FuncType.opaque(common(a.result(), b.result()), isPure);
  }
}
