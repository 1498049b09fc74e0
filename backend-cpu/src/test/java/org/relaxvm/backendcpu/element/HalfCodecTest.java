package org.relaxvm.backendcpu.element;

import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Rounding to bfloat16: runs, beside single elements. */
class HalfCodecTest {
  // Next to a half, at it, and at the ends; as the lower halves of a float's bits.
  private static final int[] LOWER = {0, 1, 0x7FFF, 0x8000, 0x8001, 0xFFFF};

  private final long seed = Long.getLong("relaxvm.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final HalfCodec codec = new HalfCodec(true, new FloatLanes());

  @Test
  void everyUpperHalfIsRoundedAsASingleElement() {
    float[] values = new float[(1 << 16) * LOWER.length];
    for (int i = 0; i < values.length; i++) {
      int bits = ((i / LOWER.length) << 16) | LOWER[i % LOWER.length];
      values[i] = Float.intBitsToFloat(bits);
    }
    check(values, 0, values.length, 2);
  }

  @Test
  void runsOfAnyLengthAndStepAreRounded() {
    for (int round = 0; round < 300; round++) {
      float[] values = new float[1 + random.nextInt(400)];
      for (int i = 0; i < values.length; i++) {
        values[i] = Float.intBitsToFloat(random.nextInt());
      }
      int from = random.nextInt(values.length);
      int to = from + random.nextInt(values.length - from + 1);
      check(values, from, to, random.nextInt(3) == 0 ? 6 : 2);
    }
  }

  private void check(float[] values, int from, int to, int step) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate((long) (to - from) * step + 16);
      memory.fill((byte) 0x55);
      codec.store(values, from, to, memory, 6, step);
      for (int i = from; i < to; i++) {
        short stored = memory.get(JAVA_SHORT_UNALIGNED, 6 + (long) (i - from) * step);
        if (stored != HalfCodec.toBrain(values[i])) {
          assertThat(stored)
              .as("%s, seed %d", Integer.toHexString(Float.floatToRawIntBits(values[i])), seed)
              .isEqualTo(HalfCodec.toBrain(values[i]));
        }
      }
      long behind = 6 + (long) (to - from) * step;
      assertThat(memory.get(JAVA_SHORT_UNALIGNED, behind)).isEqualTo((short) 0x5555);
      assertThat(memory.get(JAVA_SHORT_UNALIGNED, 4)).isEqualTo((short) 0x5555);
    }
  }
}
