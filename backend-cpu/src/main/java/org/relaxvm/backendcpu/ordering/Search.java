package org.relaxvm.backendcpu.ordering;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.relaxvm.api.DType;
import org.relaxvm.backendcpu.element.Codec;

/** Finds the first of the most extreme elements, in lines or across rows. One thread's. */
abstract class Search {
  /** The most elements that are looked at together. */
  static final int PIECE = FloatFinder.PIECE;

  private Search() {}

  /** Reads the elements that the other methods look at. */
  abstract void load(MemorySegment memory, long at, long step, int count);

  /** The place of the first extreme one in a part of what was read. */
  abstract int first(int from, int to);

  /** Keeps the element at a place, if it is the first one or more extreme than the one kept. */
  abstract boolean keep(int place, boolean first);

  /** Compares a row with those before, each element with those at its index. */
  abstract void row(int count, int number);

  /** The numbers of the rows where the most extreme elements are. */
  abstract void numbers(long[] into, int count);

  /** Floats of up to 32 bits. */
  static final class Floats extends Search {
    private final Codec<float[]> codec;
    private final FloatFinder finder;
    private final float sign;
    private final float[] values = new float[PIECE];
    private final float[] most = new float[PIECE];
    private final int[] numbers = new int[PIECE];
    private float kept;

    Floats(Codec<float[]> codec, FloatFinder finder, boolean largest) {
      this.codec = codec;
      this.finder = finder;
      this.sign = largest ? 1 : -1;
    }

    @Override
    void load(MemorySegment memory, long at, long step, int count) {
      codec.load(memory, at, step, values, 0, count);
    }

    @Override
    int first(int from, int to) {
      return finder.first(values, from, to, sign);
    }

    @Override
    boolean keep(int place, boolean first) {
      float value = sign * values[place];
      if (first || FloatFinder.isMore(value, kept)) {
        kept = value;
        return true;
      }
      return false;
    }

    @Override
    void row(int count, int number) {
      if (number > 0) {
        finder.row(values, count, sign, number, most, numbers);
        return;
      }
      for (int i = 0; i < count; i++) {
        most[i] = sign * values[i];
        numbers[i] = 0;
      }
    }

    @Override
    void numbers(long[] into, int count) {
      for (int i = 0; i < count; i++) {
        into[i] = numbers[i];
      }
    }
  }

  /** All other elements, by their keys. */
  static final class Longs extends Search {
    private final Keys keys;
    private final long[] values = new long[PIECE];
    private final long[] least = new long[PIECE];
    private final long[] numbers = new long[PIECE];
    private long kept;

    Longs(DType dtype, boolean largest) {
      this.keys = new Keys(dtype, largest, true);
    }

    @Override
    void load(MemorySegment memory, long at, long step, int count) {
      keys.read(memory, at, step, values, 0, count);
    }

    @Override
    int first(int from, int to) {
      long[] x = values;
      int place = from;
      long smallest = x[from];
      for (int i = from + 1; i < to; i++) {
        if (x[i] < smallest) {
          smallest = x[i];
          place = i;
        }
      }
      return place;
    }

    @Override
    boolean keep(int place, boolean first) {
      if (first || values[place] < kept) {
        kept = values[place];
        return true;
      }
      return false;
    }

    @Override
    void row(int count, int number) {
      if (number > 0) {
        replace(values, count, number, least, numbers);
        return;
      }
      System.arraycopy(values, 0, least, 0, count);
      Arrays.fill(numbers, 0);
    }

    /** Without branches, in a form that the JIT compiler makes vector code of. */
    private static void replace(long[] x, int count, int number, long[] least, long[] numbers) {
      for (int i = 0; i < count; i++) {
        long a = x[i];
        long b = least[i];
        long less = ((a & ~b) | (~(a ^ b) & (a - b))) >> (Long.SIZE - 1);
        least[i] = Math.min(a, b);
        numbers[i] ^= (numbers[i] ^ number) & less;
      }
    }

    @Override
    void numbers(long[] into, int count) {
      System.arraycopy(numbers, 0, into, 0, count);
    }
  }
}
