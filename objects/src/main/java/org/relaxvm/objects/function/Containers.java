package org.relaxvm.objects.function;

import java.util.Arrays;
import java.util.Collections;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Tuple;

/** Arrays as values of calls, which are tuples, and as fields of objects, which are lists. */
final class Containers {
  private Containers() {}

  /** An array as the value of a call, which the caller owns. */
  static Tuple array(@Nullable Object[] values) {
    return Tuple.of(values);
  }

  /** A value of a call as a field: an array at any depth is a list. */
  static @Nullable Object asField(@Nullable Object value) {
    if (!(value instanceof Tuple tuple) || tuple.tag() != 0) {
      return value;
    }
    @Nullable Object[] elements = new Object[tuple.size()];
    for (int i = 0; i < elements.length; i++) {
      elements[i] = asField(tuple.get(i));
    }
    return Collections.unmodifiableList(Arrays.asList(elements));
  }
}
