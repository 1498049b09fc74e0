package org.relaxvm.builtins.strings;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/** Positions of values in a list of keys; of equal keys the last one counts. */
public final class Lookup {
  private Lookup() {}

  /** The position of each value, or -1. */
  public static long[] positions(List<String> values, List<String> keys) {
    Map<String, Integer> positions = new HashMap<>();
    for (int i = 0; i < keys.size(); i++) {
      positions.put(keys.get(i), i);
    }
    return values.stream().mapToLong(value -> positions.getOrDefault(value, -1)).toArray();
  }

  /** The position of each value, or -1. */
  public static long[] positions(long[] values, long[] keys) {
    Map<Long, Integer> positions = new HashMap<>();
    for (int i = 0; i < keys.length; i++) {
      positions.put(keys[i], i);
    }
    return Arrays.stream(values).map(value -> positions.getOrDefault(value, -1)).toArray();
  }

  /**
   * Checks that all values were found.
   *
   * @param value the value at an index, for the message
   * @throws CallException a {@code ValueError} when one was not
   */
  public static void requireAll(long[] positions, IntFunction<Object> value) {
    for (int i = 0; i < positions.length; i++) {
      if (positions[i] < 0) {
        throw new CallException(
            ErrorKind.VALUE, "the value " + value.apply(i) + " is none of the categories");
      }
    }
  }
}
