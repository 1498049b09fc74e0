package org.relaxvm.backendcpu.element;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;

/** Copies runs of elements bit by bit, whatever they mean. */
public final class Copies {
  /** The first places of an element that goes to many. */
  private static final int REPEATED = 16;

  private Copies() {}

  /**
   * Copies a run.
   *
   * @param bytes of an element: 1, 2, 4 or 8
   * @param fromStep distance of the elements read, in bytes
   * @param toStep distance of the elements written, in bytes
   */
  public static void run(
      int bytes,
      MemorySegment from,
      long fromAt,
      long fromStep,
      MemorySegment to,
      long toAt,
      long toStep,
      long count) {
    if (fromStep == bytes && toStep == bytes && count > 1) {
      MemorySegment.copy(from, fromAt, to, toAt, count * bytes);
      return;
    }
    if (fromStep == 0 && toStep == bytes && count >= REPEATED) {
      repeat(bytes, from, fromAt, to, toAt, count);
      return;
    }
    oneByOne(bytes, from, fromAt, fromStep, to, toAt, toStep, count);
  }

  /** Copies one element to many places: the filled part is copied after itself. */
  private static void repeat(
      int bytes, MemorySegment from, long fromAt, MemorySegment to, long toAt, long count) {
    oneByOne(bytes, from, fromAt, 0, to, toAt, bytes, REPEATED);
    long total = count * bytes;
    long done = (long) REPEATED * bytes;
    while (done < total) {
      long next = Math.min(done, total - done);
      MemorySegment.copy(to, toAt, to, toAt + done, next);
      done += next;
    }
  }

  private static void oneByOne(
      int bytes,
      MemorySegment from,
      long fromAt,
      long fromStep,
      MemorySegment to,
      long toAt,
      long toStep,
      long count) {
    switch (bytes) {
      case 1 -> {
        for (long i = 0; i < count; i++) {
          to.set(JAVA_BYTE, toAt + i * toStep, from.get(JAVA_BYTE, fromAt + i * fromStep));
        }
      }
      case 2 -> {
        for (long i = 0; i < count; i++) {
          short value = from.get(JAVA_SHORT_UNALIGNED, fromAt + i * fromStep);
          to.set(JAVA_SHORT_UNALIGNED, toAt + i * toStep, value);
        }
      }
      case 4 -> {
        for (long i = 0; i < count; i++) {
          int value = from.get(JAVA_INT_UNALIGNED, fromAt + i * fromStep);
          to.set(JAVA_INT_UNALIGNED, toAt + i * toStep, value);
        }
      }
      default -> {
        for (long i = 0; i < count; i++) {
          long value = from.get(JAVA_LONG_UNALIGNED, fromAt + i * fromStep);
          to.set(JAVA_LONG_UNALIGNED, toAt + i * toStep, value);
        }
      }
    }
  }
}
