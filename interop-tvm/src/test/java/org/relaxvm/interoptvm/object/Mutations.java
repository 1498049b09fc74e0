package org.relaxvm.interoptvm.object;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Random;
import org.relaxvm.api.error.MalformedFileException;

/** Damages libraries at random and reads them. */
final class Mutations {
  private static final long SEED = Long.getLong("relaxvm.seed", System.nanoTime());
  private static final long[] NUMBERS = {
    0, 1, 7, 0x7FFF_FFFFL, 0x8000_0000L, 0xFFFF_FFFFL, Long.MAX_VALUE, Long.MIN_VALUE, -1, -16
  };
  private static final long MOST_NANOS = 2_000_000_000L;

  private Mutations() {}

  /**
   * Checks that damaged copies are read or refused, in bounded time.
   *
   * @param hot the bytes that hold the tables; half of the damage goes there
   */
  static void check(byte[] library, int hot, int cases) {
    System.out.println("Mutations: -Drelaxvm.seed=" + SEED);
    Random random = new Random(SEED);
    int refused = 0;
    for (int i = 0; i < cases; i++) {
      byte[] damaged = library.clone();
      for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
        int range = random.nextBoolean() ? Math.min(hot, damaged.length) : damaged.length;
        damage(damaged, random.nextInt(range), random);
      }
      long start = System.nanoTime();
      if (!reads(damaged)) {
        refused++;
      }
      assertThat(System.nanoTime() - start).as("nanoseconds of case %d", i).isLessThan(MOST_NANOS);
    }
    System.out.println("Mutations: " + refused + " of " + cases + " refused");
    assertThat(refused).isBetween(cases / 100, cases - 1);
  }

  /** Checks that no beginning of a library is taken for one. */
  static void checkCuts(byte[] library) {
    for (int length = 0; length < library.length; length++) {
      byte[] cut = Arrays.copyOf(library, length);
      assertThat(reads(cut)).as("%d of %d bytes", length, library.length).isFalse();
    }
  }

  private static void damage(byte[] bytes, int at, Random random) {
    switch (random.nextInt(4)) {
      case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
      case 1 -> bytes[at] = (byte) random.nextInt(256);
      case 2 -> {
        int from = random.nextInt(bytes.length);
        int length = Math.min(1 + random.nextInt(32), bytes.length - Math.max(at, from));
        System.arraycopy(bytes, from, bytes, at, length);
      }
      default -> {
        long number = NUMBERS[random.nextInt(NUMBERS.length)];
        int width = random.nextBoolean() ? 8 : 4;
        int aligned = at - at % width;
        for (int i = 0; i < width && aligned + i < bytes.length; i++) {
          bytes[aligned + i] = (byte) (number >>> (8 * i));
        }
      }
    }
  }

  private static boolean reads(byte[] bytes) {
    try {
      ObjectFile file = ObjectFile.read(MemorySegment.ofArray(bytes), "damaged");
      for (String name : file.defined().keySet()) {
        file.dataOf(name).ifPresent(data -> assertThat(data.byteSize()).isNotNegative());
      }
      return true;
    } catch (MalformedFileException e) {
      assertThat(e).hasMessageContaining("at byte ").hasMessageContaining("what to do: ");
      return false;
    }
  }
}
