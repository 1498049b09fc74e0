package org.relaxvm.interoprelay.translate.code;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ParallelCopyTest {
  private static final int REGISTERS = 6;

  @Test
  void copiesWithoutCyclesNeedNoScratch() {
    ParallelCopy copies = new ParallelCopy();
    copies.add(0, Operand.register(1));
    copies.add(1, Operand.register(2));
    copies.add(3, Operand.register(3));
    assertThat(copies.sequence(() -> 9))
        .containsExactly(Call.copy(0, Operand.register(1)), Call.copy(1, Operand.register(2)));
  }

  @Test
  void aCycleIsBrokenByOneScratchRegister() {
    ParallelCopy copies = new ParallelCopy();
    copies.add(0, Operand.register(1));
    copies.add(1, Operand.register(0));
    assertThat(copies.sequence(() -> 9))
        .containsExactly(
            Call.copy(9, Operand.register(0)),
            Call.copy(0, Operand.register(1)),
            Call.copy(1, Operand.register(9)));
  }

  /** All maps of four registers to six, and a constant. */
  @Test
  void everySequenceDoesWhatTheCopiesDoAtOnce() {
    for (int code = 0; code < 7 * 7 * 7 * 7; code++) {
      ParallelCopy copies = new ParallelCopy();
      int[] wanted = IntStream.range(0, REGISTERS).toArray();
      int left = code;
      for (int dst = 0; dst < 4; dst++) {
        int src = left % 7;
        left /= 7;
        copies.add(dst, src == 6 ? Operand.constant(60L) : Operand.register(src));
        wanted[dst] = src == 6 ? 60 : src;
      }
      AtomicInteger scratch = new AtomicInteger(REGISTERS);
      int[] got = run(copies.sequence(scratch::getAndIncrement));
      assertThat(IntStream.range(0, REGISTERS).map(i -> got[i]).toArray())
          .as("maps number %s", code)
          .isEqualTo(wanted);
    }
  }

  private static int[] run(List<Call> calls) {
    int[] registers = IntStream.range(0, 2 * REGISTERS).toArray();
    for (Call call : calls) {
      registers[call.dst()] =
          switch (call.args().getFirst()) {
            case Operand.Register(int src) -> registers[src];
            case Operand.Constant(Object value) -> ((Long) value).intValue();
            default -> throw new AssertionError(call);
          };
    }
    return registers;
  }

  @Test
  @Timeout(value = 10, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aLongCycleTakesTimeInProportion() {
    int count = 20_000;
    ParallelCopy copies = new ParallelCopy();
    for (int i = 0; i < count; i++) {
      copies.add(i, Operand.register((i + 1) % count));
    }
    assertThat(copies.sequence(() -> count)).hasSize(count + 1);
  }
}
