package org.relaxvm.cli.check;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.TypeKeys;

/**
 * Compares a result with the expected one, in which a list is a tuple as well; an empty list is
 * also no result.
 *
 * <p>With tolerances 0 everything must be equal, NaN to NaN. Otherwise floats may differ by the
 * absolute tolerance, plus the relative one times the larger of the expected element's magnitude
 * and a thousandth of the largest expected magnitude, so that elements near 0 are judged by the
 * tensor they stand in; integers, shapes, dtypes and strings must be equal always.
 *
 * @param relative relative tolerance
 * @param absolute absolute tolerance
 */
public record Comparison(double relative, double absolute) {
  private static final double FLOOR = 1e-3;

  /** The first difference in words, or empty when there is none. */
  public Optional<String> difference(@Nullable Object expected, @Nullable Object actual) {
    return difference("result", expected, actual);
  }

  private Optional<String> difference(
      String where, @Nullable Object expected, @Nullable Object actual) {
    if (expected instanceof Tuple want && actual instanceof Tuple got) {
      return fields(where, want.fields(), got);
    }
    if (expected instanceof List<?> want) {
      return want.isEmpty() && actual == null
          ? Optional.empty()
          : actual instanceof Tuple got
              ? fields(where, want, got)
              : Optional.of(
                  where + ": expected " + want.size() + " fields, but got " + text(actual));
    }
    if (expected instanceof Tensor want && actual instanceof Tensor got) {
      return tensors(where, want, got);
    }
    if (expected instanceof Number want && actual instanceof Number got) {
      double a = want.doubleValue();
      double b = got.doubleValue();
      boolean integers = expected instanceof Long && actual instanceof Long;
      boolean equal = integers ? want.equals(got) : close(a, b, Math.abs(a));
      return equal
          ? Optional.empty()
          : Optional.of(where + ": expected " + want + ", but got " + got);
    }
    boolean equal = expected == null ? actual == null : expected.equals(actual);
    return equal
        ? Optional.empty()
        : Optional.of(where + ": expected " + text(expected) + ", but got " + text(actual));
  }

  private Optional<String> fields(String where, List<? extends @Nullable Object> want, Tuple got) {
    if (want.size() != got.size()) {
      return Optional.of(where + ": expected " + want.size() + " fields, but got " + got.size());
    }
    for (int i = 0; i < want.size(); i++) {
      Optional<String> difference = difference(where + "[" + i + "]", want.get(i), got.get(i));
      if (difference.isPresent()) {
        return difference;
      }
    }
    return Optional.empty();
  }

  private Optional<String> tensors(String where, Tensor want, Tensor got) {
    if (!want.dtype().equals(got.dtype()) || !want.shape().equals(got.shape())) {
      return Optional.of(
          where
              + ": expected "
              + want.dtype()
              + want.shape()
              + ", but got "
              + got.dtype()
              + got.shape());
    }
    if (!want.dtype().isFloat()) {
      long[] a = want.toLongArray();
      long[] b = got.toLongArray();
      for (int i = 0; i < a.length; i++) {
        if (a[i] != b[i]) {
          return element(where, i, a[i], b[i]);
        }
      }
      return Optional.empty();
    }
    double[] a = want.toDoubleArray();
    double[] b = got.toDoubleArray();
    double largest = 0;
    for (double value : a) {
      if (Double.isFinite(value)) {
        largest = Math.max(largest, Math.abs(value));
      }
    }
    for (int i = 0; i < a.length; i++) {
      if (!close(a[i], b[i], largest)) {
        return element(where, i, a[i], b[i]);
      }
    }
    return Optional.empty();
  }

  private boolean close(double want, double got, double largest) {
    if (Double.compare(want, got) == 0 || want == got) {
      return true;
    }
    double allowed = absolute + relative * Math.max(Math.abs(want), FLOOR * largest);
    return Math.abs(want - got) <= allowed;
  }

  private static Optional<String> element(String where, int index, Object want, Object got) {
    return Optional.of(where + ": element " + index + ": expected " + want + ", but got " + got);
  }

  private static String text(@Nullable Object value) {
    return TypeKeys.of(value) + " " + value;
  }
}
