package org.relaxvm.objects.function;

import java.util.Arrays;
import java.util.Collections;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/** Arrays as values of calls, which are tuples, and as fields of objects, which are lists. */
final class Containers {
  private static final int MAX_DEPTH = 1_000;

  private Containers() {}

  /** An array as the value of a call, which the caller owns. */
  static Tuple array(@Nullable Object[] values) {
    return Tuple.of(values);
  }

  /**
   * A value of a call as a field: an array at any depth is a list.
   *
   * @throws CallException a {@code ValueError} for arrays that are nested too deep
   */
  static @Nullable Object asField(@Nullable Object value) {
    return asField(value, 0);
  }

  private static @Nullable Object asField(@Nullable Object value, int depth) {
    if (!(value instanceof Tuple tuple) || tuple.tag() != 0) {
      return value;
    }
    if (depth == MAX_DEPTH) {
      throw new CallException(
          ErrorKind.VALUE, "arrays are nested more than " + MAX_DEPTH + " deep");
    }
    @Nullable Object[] elements = new Object[tuple.size()];
    for (int i = 0; i < elements.length; i++) {
      elements[i] = asField(tuple.get(i), depth + 1);
    }
    return Collections.unmodifiableList(Arrays.asList(elements));
  }
}
