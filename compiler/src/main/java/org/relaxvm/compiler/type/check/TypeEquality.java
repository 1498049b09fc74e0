package org.relaxvm.compiler.type.check;

import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.function.BiPredicate;
import org.relaxvm.compiler.type.AnyType;
import org.relaxvm.compiler.type.FuncType;
import org.relaxvm.compiler.type.PrimType;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.ShapeVar;
import org.relaxvm.compiler.type.TensorShape;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.Call;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;

/**
 * Compares types and scalar expressions up to the identity of variables. The first meeting of two
 * variables makes them the same from then on; a map that a caller keeps goes on from type to type.
 *
 * <p>Source: docs/spec/relax-ir.md, section 2.2. Not thread-safe.
 */
public final class TypeEquality {
  // Both ways, so that two variables never stand for one.
  private final Map<Object, Object> forth = new IdentityHashMap<>();
  private final Map<Object, Object> back = new IdentityHashMap<>();
  private final boolean mapsFreeVars;

  private TypeEquality(boolean mapsFreeVars) {
    this.mapsFreeVars = mapsFreeVars;
  }

  /** A comparison in which variables that were not bound are equal to themselves only. */
  public static TypeEquality exact() {
    return new TypeEquality(false);
  }

  /** A comparison in which variables that meet are the same from then on. */
  public static TypeEquality upToNames() {
    return new TypeEquality(true);
  }

  /** Whether two types are the same, variables up to identity. */
  public static boolean areEqual(Type a, Type b) {
    return upToNames().same(a, b);
  }

  /** Makes two variables the same from now on; false when one of them is another's already. */
  @SuppressWarnings("ReferenceEquality") // of variables that is equality
  public boolean bind(Object a, Object b) {
    Object known = forth.putIfAbsent(a, b);
    Object inverse = back.putIfAbsent(b, a);
    return (known == null || known == b) && (inverse == null || inverse == a);
  }

  /** Whether two uses are of the same variable. */
  @SuppressWarnings("ReferenceEquality") // of variables that is equality
  public boolean sameVar(Object a, Object b) {
    if (forth.containsKey(a) || back.containsKey(b) || mapsFreeVars) {
      return bind(a, b);
    }
    return a == b;
  }

  /** Whether two types are the same. */
  public boolean same(Type a, Type b) {
    return switch (a) {
      case AnyType any -> b instanceof AnyType;
      case PrimType prim -> prim.equals(b);
      case ShapeType x ->
          b instanceof ShapeType y && x.ndim() == y.ndim() && same(x.dims(), y.dims(), this::all);
      case TensorType x ->
          b instanceof TensorType y
              && x.ndim() == y.ndim()
              && x.dtype().equals(y.dtype())
              && x.vdevice().equals(y.vdevice())
              && same(x.shape(), y.shape(), this::same);
      case TupleType(var x) -> b instanceof TupleType(var y) && all(x, y, this::same);
      case FuncType x ->
          b instanceof FuncType y
              && x.isPure() == y.isPure()
              && x.derivesByTypeArgs() == y.derivesByTypeArgs()
              && same(x.params(), y.params(), this::sameParams)
              && same(x.result(), y.result());
    };
  }

  /** Whether two lists of parameters are the same, whose types define symbolic variables. */
  public boolean sameParams(List<Type> a, List<Type> b) {
    return defineNew(Symbols.definedBy(a), Symbols.definedBy(b)) && all(a, b, this::same);
  }

  /** Binds symbolic variables that two types define, in order; false when they do not match. */
  public boolean defineNew(SequencedSet<Var> a, SequencedSet<Var> b) {
    return all(List.copyOf(a), List.copyOf(b), this::bind);
  }

  private boolean same(TensorShape a, TensorShape b) {
    return switch (a) {
      case TensorShape.Known(var x) -> b instanceof TensorShape.Known(var y) && all(x, y);
      case TensorShape.OfVar(ShapeVar x) ->
          b instanceof TensorShape.OfVar(ShapeVar y) && sameVar(x, y);
    };
  }

  /** Whether two lists of expressions are the same. */
  public boolean all(List<PrimExpr> a, List<PrimExpr> b) {
    return all(a, b, this::same);
  }

  /** Whether two expressions are the same. */
  public boolean same(PrimExpr a, PrimExpr b) {
    return switch (a) {
      case Var x -> b instanceof Var y && x.dtype().equals(y.dtype()) && sameVar(x, y);
      case IntImm imm -> imm.equals(b);
      case FloatImm imm -> imm.equals(b);
      case Binary x -> b instanceof Binary y && x.op() == y.op() && all(x.operands(), y.operands());
      case Call x -> b instanceof Call y && x.op() == y.op() && all(x.operands(), y.operands());
      case BufferLoad x ->
          b instanceof BufferLoad y
              && x.buffer().equals(y.buffer())
              && all(x.operands(), y.operands());
      default ->
          a.getClass().equals(b.getClass())
              && a.dtype().equals(b.dtype())
              && all(a.operands(), b.operands());
    };
  }

  private static <T> boolean same(Optional<T> a, Optional<T> b, BiPredicate<T, T> same) {
    return a.isPresent() == b.isPresent() && (a.isEmpty() || same.test(a.get(), b.get()));
  }

  /** Whether two lists are as long as each other and have the same elements. */
  public static <T> boolean all(List<? extends T> a, List<? extends T> b, BiPredicate<T, T> same) {
    if (a.size() != b.size()) {
      return false;
    }
    for (int i = 0; i < a.size(); i++) {
      if (!same.test(a.get(i), b.get(i))) {
        return false;
      }
    }
    return true;
  }
}
