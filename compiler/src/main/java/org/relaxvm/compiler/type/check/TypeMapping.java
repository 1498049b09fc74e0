package org.relaxvm.compiler.type.check;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.relaxvm.compiler.type.AnyType;
import org.relaxvm.compiler.type.FuncType;
import org.relaxvm.compiler.type.PrimType;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.ShapeVar;
import org.relaxvm.compiler.type.TensorShape;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.arith.Analyzer;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.Substitution;

/**
 * Types with other expressions instead of variables. Where a variable has none, the whole shape is
 * dropped and only its number of axes stays.
 *
 * <p>Source: docs/spec/relax-ir.md, section 8.5.
 *
 * @param symbols what symbolic variables become; empty where they are not known
 * @param shapes what variables that hold shapes become; empty where they are not known
 */
public record TypeMapping(
    Function<Var, Optional<PrimExpr>> symbols,
    Function<ShapeVar, Optional<TensorShape>> shapes,
    Optional<Analyzer> analyzer) {

  /** Replaces variables that have an expression or a shape by it, and leaves the others. */
  public static TypeMapping replacing(
      Map<Var, ? extends PrimExpr> symbols, Map<ShapeVar, ? extends TensorShape> shapes) {
    return new TypeMapping(
        var -> Optional.of(symbols.containsKey(var) ? symbols.get(var) : var),
        var -> Optional.of(shapes.containsKey(var) ? shapes.get(var) : new TensorShape.OfVar(var)),
        Optional.empty());
  }

  /** Leaves only what is said by these variables. */
  public static TypeMapping knowing(Set<Var> symbols, Set<? extends ShapeVar> shapes) {
    return new TypeMapping(
        var -> symbols.contains(var) ? Optional.of(var) : Optional.empty(),
        var -> shapes.contains(var) ? Optional.of(new TensorShape.OfVar(var)) : Optional.empty(),
        Optional.empty());
  }

  /** Leaves only what is said by variables that are mapped, and simplifies it. */
  public static TypeMapping of(
      Map<Var, ? extends PrimExpr> symbols,
      Map<ShapeVar, ? extends TensorShape> shapes,
      Analyzer analyzer) {
    return new TypeMapping(
        var -> Optional.ofNullable(symbols.get(var)),
        var -> Optional.ofNullable(shapes.get(var)),
        Optional.of(analyzer));
  }

  /** The type. */
  public Type apply(Type type) {
    return switch (type) {
      case AnyType any -> any;
      case PrimType prim -> prim;
      case FuncType function -> function;
      case TupleType(var fields) -> new TupleType(fields.stream().map(this::apply).toList());
      case ShapeType shape ->
          shape.dims().isEmpty()
              ? shape
              : new ShapeType(shape.dims().flatMap(this::dims), shape.ndim());
      case TensorType tensor -> {
        Optional<TensorShape> shape = tensor.shape().flatMap(this::shape);
        int ndim = shape.map(TensorShape::ndim).orElse(tensor.ndim());
        yield new TensorType(shape, tensor.dtype(), ndim, tensor.vdevice());
      }
    };
  }

  private Optional<TensorShape> shape(TensorShape shape) {
    return switch (shape) {
      case TensorShape.Known(var dims) -> dims(dims).map(TensorShape.Known::new);
      case TensorShape.OfVar(ShapeVar var) -> shapes.apply(var);
    };
  }

  /** The extents; empty when one of them is not known. */
  public Optional<List<PrimExpr>> dims(List<PrimExpr> dims) {
    List<PrimExpr> mapped = new ArrayList<>();
    for (PrimExpr dim : dims) {
      Optional<PrimExpr> value = dim(dim);
      if (value.isEmpty()) {
        return Optional.empty();
      }
      mapped.add(value.get());
    }
    return Optional.of(mapped);
  }

  /** An expression; empty when it is not known. */
  public Optional<PrimExpr> dim(PrimExpr dim) {
    Map<Var, PrimExpr> values = new IdentityHashMap<>();
    boolean changes = false;
    for (Var var : Symbols.usedBy(dim)) {
      Optional<PrimExpr> value = symbols.apply(var);
      if (value.isEmpty()) {
        return Optional.empty();
      }
      values.put(var, value.get());
      changes |= !value.get().equals(var);
    }
    if (!changes) {
      return Optional.of(dim);
    }
    PrimExpr replaced = Substitution.in(dim, values);
    return Optional.of(analyzer.isPresent() ? analyzer.get().simplify(replaced) : replaced);
  }
}
