package org.relaxvm.backendcpu.micro;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Masks of the first elements of a vector, as code takes them: the bits with AVX-512, else the
 * address of a vector of integers, in memory that stays.
 *
 * @param lanes of a vector
 * @param table the address of as many elements of all ones as a vector has, then as many zeros; 0
 *     with AVX-512
 */
record Masks(int lanes, int elementBytes, long table) {
  static Masks of(VectorUnit unit, Element element) {
    int lanes = unit.lanes(element);
    if (unit.isWide()) {
      return new Masks(lanes, element.bytes(), 0);
    }
    MemorySegment table = Arena.global().allocate(2L * unit.bytes(), unit.bytes());
    for (int i = 0; i < unit.bytes(); i++) {
      table.set(ValueLayout.JAVA_BYTE, i, (byte) -1);
    }
    return new Masks(lanes, element.bytes(), table.address());
  }

  long of(int count) {
    return table == 0 ? (1L << count) - 1 : table + (long) (lanes - count) * elementBytes;
  }
}
