package org.relaxvm.compiler.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.relaxvm.vmcore.executable.Arg;
import org.relaxvm.vmcore.executable.ArgKind;

class ParallelMovesTest {
  private static final int FIRST_SCRATCH = 100;

  private static List<String> moves(Arg... values) {
    AtomicInteger next = new AtomicInteger(FIRST_SCRATCH);
    return ParallelMoves.of(
            List.of(values), Arg::register, () -> Arg.register(next.getAndIncrement()))
        .stream()
        .map(move -> text(move.from()) + " " + text(move.to()))
        .toList();
  }

  private static String text(Arg arg) {
    return (arg.kind() == ArgKind.REGISTER ? "%" : "i") + arg.value();
  }

  private static Arg r(int number) {
    return Arg.register(number);
  }

  @Test
  void whatStaysWhereItIsNeedsNoMove() {
    assertThat(moves(r(0), r(1))).isEmpty();
  }

  @Test
  void aRegisterIsReadBeforeItIsOverwritten() {
    assertThat(moves(r(1), r(2), r(5))).containsExactly("%1 %0", "%2 %1", "%5 %2");
    assertThat(moves(Arg.immediate(7), r(0), r(1))).containsExactly("%1 %2", "%0 %1", "i7 %0");
  }

  @Test
  void aCycleTakesOneScratchRegister() {
    assertThat(moves(r(1), r(0))).containsExactly("%0 %100", "%1 %0", "%100 %1");
    assertThat(moves(r(1), r(0), r(3), r(2)))
        .containsExactly("%0 %100", "%1 %0", "%100 %1", "%2 %101", "%3 %2", "%101 %3");
  }

  @Test
  void randomMovesHaveTheEffectOfAllAtOnce() {
    long seed = Long.getLong("relaxvm.seed", System.nanoTime());
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < 5_000; round++) {
      int count = random.nextInt(8);
      List<Arg> values = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        int register = random.nextInt(count + 2);
        values.add(random.nextInt(8) == 0 ? Arg.immediate(register) : r(register));
      }
      Map<Arg, String> registers = new HashMap<>();
      for (int i = 0; i < count + 2; i++) {
        registers.put(r(i), "value " + i);
      }
      List<String> expected =
          values.stream().map(value -> registers.getOrDefault(value, value.toString())).toList();
      AtomicInteger next = new AtomicInteger(FIRST_SCRATCH);
      for (var move : ParallelMoves.of(values, Arg::register, () -> r(next.getAndIncrement()))) {
        String moved = registers.getOrDefault(move.from(), move.from().toString());
        registers.put(move.to(), moved);
      }
      List<String> got = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        got.add(registers.get(r(i)));
      }
      assertThat(got).as("%s, -Drelaxvm.seed=%s", values, seed).isEqualTo(expected);
    }
  }
}
