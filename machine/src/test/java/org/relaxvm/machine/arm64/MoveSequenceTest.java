package org.relaxvm.machine.arm64;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Sequences leave the constant in the register, and none is longer than it has to be. */
class MoveSequenceTest {

  /** What a sequence leaves in a register of 64 bits. */
  private static long run(List<MoveSequence.Step> steps, int bits) {
    long register = 0x0BAD_0BAD_0BAD_0BADL;
    for (MoveSequence.Step step : steps) {
      long shifted = step.value() << step.shift();
      register =
          switch (step.instruction()) {
            case MOVZ -> shifted;
            case MOVN -> ~shifted;
            case MOVK -> (register & ~(0xFFFFL << step.shift())) | shifted;
            case ORR -> step.value();
            default -> throw new AssertionError("unexpected: " + step);
          };
    }
    return bits == 32 ? register & 0xFFFF_FFFFL : register;
  }

  @Test
  void sequencesLeaveTheConstant() {
    long[] halves = {0, 0xFFFF, 0x1234, 0x00FF, 0x5555, 1, 0x8000};
    for (long a : halves) {
      for (long b : halves) {
        for (long c : halves) {
          for (long d : halves) {
            long value = a << 48 | b << 32 | c << 16 | d;
            assertThat(run(MoveSequence.of(value, 64), 64)).isEqualTo(value);
          }
        }
        long value = a << 16 | b;
        assertThat(run(MoveSequence.of(value, 32), 32)).isEqualTo(value);
        assertThat(run(MoveSequence.of((int) value, 32), 32)).isEqualTo(value);
        assertThat(MoveSequence.of(value, 32)).hasSizeLessThanOrEqualTo(2);
      }
    }
    Random random = new Random(11);
    for (int i = 0; i < 10_000; i++) {
      long value = random.nextLong();
      assertThat(run(MoveSequence.of(value, 64), 64)).isEqualTo(value);
    }
  }

  private static int length(long value) {
    return MoveSequence.of(value, 64).size();
  }

  @Test
  void sequencesAreShort() {
    assertThat(length(0)).isEqualTo(1);
    assertThat(length(-1)).isEqualTo(1);
    assertThat(length(0x1234_0000_0000L)).isEqualTo(1);
    assertThat(length(~0x1234_0000_0000L)).isEqualTo(1);
    assertThat(length(0x00FF_00FF_00FF_00FFL)).isEqualTo(1);
    assertThat(length(0x1234_5678L)).isEqualTo(2);
    assertThat(length(0xFFFF_FFFF_1234_5678L)).isEqualTo(2);
    assertThat(length(0x5555_5555_1234_5555L)).isEqualTo(2);
    assertThat(length(0x00FF_FFFF_FFFF_1234L)).isEqualTo(2);
    assertThat(length(0x1234_FFFF_5678_9ABCL)).isEqualTo(3);
    assertThat(length(0x1234_5678_9ABC_DEF0L)).isEqualTo(4);
  }
}
