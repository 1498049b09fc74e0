package org.relaxvm.interoptvm.functions;

/**
 * The generator MT19937 (Matsumoto and Nishimura), and floats made of it as the standard library of
 * GCC makes them, so that a seed gives what it gives in Apache TVM. Not thread-safe.
 */
final class MersenneTwister {
  private static final int SIZE = 624;
  private static final int MIDDLE = 397;
  private static final double TWO_32 = 0x1p32;

  private final int[] state = new int[SIZE];
  private int next = SIZE;

  MersenneTwister(int seed) {
    seed(seed);
  }

  /** Starts again from a seed. */
  void seed(int seed) {
    state[0] = seed;
    for (int i = 1; i < SIZE; i++) {
      state[i] = 1812433253 * (state[i - 1] ^ (state[i - 1] >>> 30)) + i;
    }
    next = SIZE;
  }

  /** 32 random bits, as an unsigned number. */
  long nextUnsigned() {
    if (next == SIZE) {
      refill();
    }
    int y = state[next++];
    y ^= y >>> 11;
    y ^= (y << 7) & 0x9D2C5680;
    y ^= (y << 15) & 0xEFC60000;
    y ^= y >>> 18;
    return Integer.toUnsignedLong(y);
  }

  private void refill() {
    for (int i = 0; i < SIZE; i++) {
      int y = (state[i] & 0x80000000) | (state[(i + 1) % SIZE] & 0x7FFFFFFF);
      state[i] = state[(i + MIDDLE) % SIZE] ^ (y >>> 1) ^ ((y & 1) * 0x9908B0DF);
    }
    next = 0;
  }

  /** A float from 0 to below 1. */
  float nextFloat() {
    float value = (float) nextUnsigned() / (float) TWO_32;
    return value < 1 ? value : Math.nextDown(1f);
  }

  /** A double from 0 to below 1. */
  double nextDouble() {
    double low = nextUnsigned();
    double value = (low + nextUnsigned() * TWO_32) / (TWO_32 * TWO_32);
    return value < 1 ? value : Math.nextDown(1.0);
  }
}
