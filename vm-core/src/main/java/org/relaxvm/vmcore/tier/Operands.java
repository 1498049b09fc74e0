package org.relaxvm.vmcore.tier;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The operands of the calls of compiled code: registers are numbered within each call, in the order
 * in which compiled code stores them as arguments; constants stay as they are. Equal lists are kept
 * once.
 */
final class Operands {
  private final int[] array;
  private final Map<List<Integer>, Integer> known = new HashMap<>();
  private int length;

  /** Operands of calls with so many arguments in all. */
  Operands(int most) {
    this.array = new int[most];
  }

  /** The array, which is complete when all calls are added. */
  int[] array() {
    return array;
  }

  /** Adds the operands of a call, and returns the index of the first. */
  int add(int[] code, int first, int count) {
    int[] own = Arrays.copyOfRange(code, first, first + count);
    int registers = 0;
    for (int i = 0; i < count; i++) {
      if (own[i] >= 0) {
        own[i] = registers++;
      }
    }
    return known.computeIfAbsent(
        IntStream.of(own).boxed().toList(),
        _ -> {
          System.arraycopy(own, 0, array, length, count);
          length += count;
          return length - count;
        });
  }
}
