package org.relaxvm.tir.arith;

import org.relaxvm.api.DType;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.stmt.Range;

/**
 * Simplifies expressions and proves conditions from constraints on variables.
 *
 * <p>Expressions of dtype int64 and int32 count as index arithmetic: they are assumed not to
 * overflow, as offsets in memory do not. All other integers wrap around; of them only the operands
 * are simplified, and constants folded. Coefficients that do not fit their dtype are never made:
 * such an expression stays as it is. A division by 0 has no result; what is said about an
 * expression is about those values of its variables for which it has one.
 *
 * <p>A proof that is not found says nothing: {@link #canProve} is false both for what is false and
 * for what is not known.
 *
 * <p>Terms are ordered by when this analyzer first met what they are made of, so results of one
 * analyzer that are equal as polynomials are equal as expressions. For one piece of work; not
 * thread-safe. Source: docs/spec/relax-ir.md, section 2.3.
 */
public final class Analyzer {
  private final Workspace work = new Workspace();

  /**
   * Additional constraints, which hold until the scope is closed. Scopes are closed in reverse
   * order.
   */
  public interface Scope extends AutoCloseable {
    /** Removes all constraints added since the scope began. */
    @Override
    void close();
  }

  /** An analyzer without constraints. */
  public Analyzer() {}

  /**
   * The canonical expression of the same value. Index arithmetic becomes a sum of products, with
   * what is constant last; conditions, minima, maxima and choices go where they are decided.
   */
  public PrimExpr simplify(PrimExpr expr) {
    return work.simplify(expr);
  }

  /**
   * Whether a condition can be proved.
   *
   * @throws InvalidProgramException when it is not a boolean
   */
  public boolean canProve(PrimExpr condition) {
    requireBoolean(condition);
    Boolean ordered = work.conditions.holdsByOrder(condition);
    return ordered != null
        ? ordered
        : work.simplify(condition) instanceof IntImm known && known.value() != 0;
  }

  /** Whether two expressions of one dtype can be proved equal. */
  public boolean canProveEqual(PrimExpr a, PrimExpr b) {
    if (!a.dtype().equals(b.dtype())) {
      return false;
    }
    return work.simplify(a).equals(work.simplify(b))
        || (!a.dtype().isFloat() && canProve(Exprs.binary(BinaryOp.EQ, a, b)));
  }

  /**
   * Constant bounds of the value of an integer or boolean. Values of uint64 above the largest of
   * int64 count as infinite.
   *
   * @throws InvalidProgramException for floats
   */
  public Interval bound(PrimExpr expr) {
    if (expr.dtype().isFloat()) {
      throw new InvalidProgramException(
          ErrorKind.TYPE, "bounds are of integers and booleans, but got " + expr.dtype());
    }
    return work.bounds.of(work.simplify(expr));
  }

  /**
   * Whether a number can be proved to divide an integer. All numbers divide 0, which divides
   * nothing else.
   */
  public boolean isMultipleOf(PrimExpr expr, long divisor) {
    if (!Workspace.isIndex(expr.dtype())) {
      return false;
    }
    try {
      Polynomial value = work.polynomial(expr);
      return divisor == 0 ? value.isZero() : work.division.remainder(value, divisor).isZero();
    } catch (ArithmeticException tooLarge) {
      return false;
    }
  }

  /**
   * Replaces a variable by a value from now on.
   *
   * @param value of the dtype of the variable, and no part of it the variable itself
   * @throws InvalidProgramException when it is
   */
  public void bind(Var var, PrimExpr value) {
    requireDType(var, value);
    PrimExpr simple = work.simplify(value);
    if (simple.equals(var)) {
      return;
    }
    if (contains(simple, var)) {
      throw new InvalidProgramException(
          ErrorKind.VALUE, "the variable " + var + " cannot have a value that it is a part of");
    }
    if (Workspace.isIndex(var.dtype()) && work.atoms.isKnown(var)) {
      // What is known about the variable already is now known about its value.
      work.learning.assume(new Binary(BinaryOp.EQ, var, simple));
    }
    work.constraints().values.put(var, simple);
    work.constraints().forgetResults();
  }

  /**
   * Adds the constraint that a variable is in a range, which implies that the range is not empty.
   * Bounds may be symbolic; wrapping integers are not constrained.
   *
   * @param range of the dtype of the variable
   */
  public void bind(Var var, Range range) {
    requireDType(var, range.min());
    requireDType(var, range.extent());
    if (!Workspace.isIndex(var.dtype())) {
      return;
    }
    if (work.simplify(range.extent()) instanceof IntImm one && one.value() == 1) {
      bind(var, range.min());
      return;
    }
    if (work.constraints().isFree(work.atoms.numberOf(var))
        && work.learning.assumeRange(var, range)) {
      return;
    }
    PrimExpr end = new Binary(BinaryOp.ADD, range.min(), range.extent());
    work.learning.assume(new Binary(BinaryOp.LE, range.min(), var));
    work.learning.assume(new Binary(BinaryOp.LT, var, end));
  }

  /** Adds the constraint that a variable is at least 0, as extents are. */
  public void markNonNegative(Var var) {
    work.learning.assume(new Binary(BinaryOp.LE, new IntImm(var.dtype(), 0), var));
  }

  /** Opens a scope. Constraints added in it are removed with it. */
  public Scope scope() {
    Constraints outer = work.constraints();
    work.setFacts(outer.copy());
    return () -> work.setFacts(outer);
  }

  /**
   * Opens a scope in which a condition holds.
   *
   * @throws InvalidProgramException when it is not a boolean
   */
  public Scope withConstraint(PrimExpr condition) {
    requireBoolean(condition);
    Scope scope = scope();
    work.learning.assume(condition);
    return scope;
  }

  private static boolean contains(PrimExpr expr, Var var) {
    if (expr.equals(var)) {
      return true;
    }
    for (PrimExpr operand : expr.operands()) {
      if (contains(operand, var)) {
        return true;
      }
    }
    return false;
  }

  private static void requireBoolean(PrimExpr condition) {
    if (!condition.dtype().equals(DType.BOOL)) {
      throw new InvalidProgramException(
          ErrorKind.TYPE, "a condition must be bool, but is " + condition.dtype());
    }
  }

  private static void requireDType(Var var, PrimExpr value) {
    if (!value.dtype().equals(var.dtype())) {
      throw new InvalidProgramException(
          ErrorKind.TYPE,
          "the variable "
              + var
              + " is "
              + var.dtype()
              + ", but what it is bound to is "
              + value.dtype());
    }
  }
}
