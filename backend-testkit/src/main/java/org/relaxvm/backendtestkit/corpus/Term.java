package org.relaxvm.backendtestkit.corpus;

import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.PrimExpr;

/**
 * A formula over the dimensions of a kernel.
 *
 * @param dims the numbers of the dimensions that it depends on
 * @param formula gives its value, of the index of each dimension
 */
record Term(Set<Integer> dims, Precision precision, Formula formula) {
  /** What gives the value at a point. */
  interface Formula {
    PrimExpr at(IntFunction<PrimExpr> point);
  }

  DType dtype() {
    return precision.dtype();
  }

  boolean isExact() {
    return precision.isExact();
  }

  Term as(DType dtype) {
    return dtype.equals(dtype())
        ? this
        : new Term(dims, precision.as(dtype), point -> Exprs.cast(dtype, formula.at(point)));
  }

  Term map(Precision result, UnaryOperator<PrimExpr> function) {
    return new Term(dims, result, point -> function.apply(formula.at(point)));
  }

  /** An operation with a formula of the same dtype. */
  Term with(Term other, BinaryOp op, Precision result) {
    return new Term(
        union(dims, other.dims),
        result,
        point -> Exprs.binary(op, formula.at(point), other.formula.at(point)));
  }

  /** One of two formulas of a dtype, as this one says. */
  Term choose(Term whenTrue, Term whenFalse, boolean lazy) {
    return new Term(
        union(dims, union(whenTrue.dims, whenFalse.dims)),
        whenTrue.precision.or(whenFalse.precision),
        point -> {
          PrimExpr condition = formula.at(point);
          PrimExpr yes = whenTrue.formula.at(point);
          PrimExpr no = whenFalse.formula.at(point);
          return lazy ? Exprs.ifThenElse(condition, yes, no) : Exprs.select(condition, yes, no);
        });
  }

  static Set<Integer> union(Set<Integer> a, Set<Integer> b) {
    Set<Integer> all = new TreeSet<>(a);
    all.addAll(b);
    return all;
  }
}
