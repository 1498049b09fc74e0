package org.relaxvm.tir.op.support;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.tir.expr.Count;
import org.relaxvm.tir.expr.DTypes;
import org.relaxvm.tir.te.TensorExpr;

/** Refuses wrong arguments of operators. */
public final class Check {
  private Check() {}

  /** The error of a wrong value. */
  public static InvalidProgramException wrong(String op, String problem) {
    return new InvalidProgramException(ErrorKind.VALUE, op + ": " + problem);
  }

  /** Refuses unless a condition holds. */
  public static void that(boolean condition, String op, String problem) {
    if (!condition) {
      throw wrong(op, problem);
    }
  }

  /** Refuses a tensor whose dtype is not of a set. */
  public static void dtype(String op, TensorExpr x, Predicate<DType> set, String text) {
    if (!set.test(x.dtype())) {
      throw new InvalidProgramException(
          ErrorKind.TYPE,
          op + ": expected " + text + " for " + x.name() + ", but it is " + x.dtype());
    }
  }

  /** Refuses a tensor that is not of floats. */
  public static void floats(String op, TensorExpr x) {
    dtype(op, x, DType::isFloat, "a float dtype");
  }

  /** Refuses a tensor that is neither of floats nor of integers. */
  public static void numbers(String op, TensorExpr x) {
    dtype(op, x, dtype -> dtype.isFloat() || DTypes.isInteger(dtype), "a dtype of numbers");
  }

  /** Refuses a tensor that is not of integers. */
  public static void integers(String op, TensorExpr x) {
    dtype(op, x, DTypes::isInteger, "an integer dtype");
  }

  /** Refuses a tensor that is not of booleans. */
  public static void booleans(String op, TensorExpr x) {
    dtype(op, x, DType.BOOL::equals, "bool");
  }

  /** Refuses tensors of different dtypes. */
  public static void sameDType(String op, TensorExpr a, TensorExpr b) {
    if (!a.dtype().equals(b.dtype())) {
      throw new InvalidProgramException(
          ErrorKind.TYPE,
          op
              + ": expected one dtype, but "
              + a.name()
              + " is "
              + a.dtype()
              + " and "
              + b.name()
              + " is "
              + b.dtype());
    }
  }

  /** Refuses a tensor of another rank. */
  public static void rank(String op, TensorExpr x, int rank) {
    that(
        x.shape().size() == rank,
        op,
        "expected " + x.name() + " of rank " + rank + ", but its rank is " + x.shape().size());
  }

  /** Refuses a tensor of less rank. */
  public static void rankAtLeast(String op, TensorExpr x, int rank) {
    that(
        x.shape().size() >= rank,
        op,
        "expected "
            + x.name()
            + " of rank "
            + rank
            + " or more, but its rank is "
            + x.shape().size());
  }

  /** An axis that may count from the end, counted from the start. */
  public static int axis(String op, int axis, int rank) {
    that(
        axis >= -rank && axis < rank,
        op,
        "expected an axis of " + -rank + " to " + (rank - 1) + ", but got " + axis);
    return axis < 0 ? axis + rank : axis;
  }

  /** Distinct axes counted from the start, in order; all of them for null. */
  public static List<Integer> axes(String op, @Nullable List<Integer> axes, int rank) {
    if (axes == null) {
      return IntStream.range(0, rank).boxed().toList();
    }
    List<Integer> normal = axesInOrder(op, axes, rank);
    return normal.stream().sorted().toList();
  }

  /** Distinct axes counted from the start, as they were given. */
  public static List<Integer> axesInOrder(String op, List<Integer> axes, int rank) {
    List<Integer> normal = new ArrayList<>();
    for (int axis : axes) {
      int normalAxis = axis(op, axis, rank);
      that(!normal.contains(normalAxis), op, "the axis " + axis + " is given twice in " + axes);
      normal.add(normalAxis);
    }
    return normal;
  }

  /** Refuses a list of another length. */
  public static void count(String op, String what, List<?> list, int count) {
    that(
        list.size() == count,
        op,
        "expected " + Count.of(count, "number", "numbers") + " as " + what + ", but got " + list);
  }

  /** Refuses numbers below a limit. */
  public static void atLeast(String op, String what, List<Long> list, long least) {
    that(
        list.stream().allMatch(value -> value >= least),
        op,
        "expected " + what + " of at least " + least + ", but got " + list);
  }
}
