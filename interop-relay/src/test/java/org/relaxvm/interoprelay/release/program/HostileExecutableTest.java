package org.relaxvm.interoprelay.release.program;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.interoprelay.release.Era;
import org.relaxvm.interoprelay.release.RandomRelease;
import org.relaxvm.interoprelay.release.ReleasedExecutable;
import org.relaxvm.interoprelay.release.ReleasedFunction;
import org.relaxvm.interoprelay.release.ReleasedInstruction;
import org.relaxvm.interoprelay.release.ReleasedInstruction.Goto;
import org.relaxvm.interoprelay.release.ReleasedInstruction.If;
import org.relaxvm.interoprelay.release.ReleasedInstruction.InvokePacked;
import org.relaxvm.interoprelay.release.ReleasedInstruction.KillRegister;
import org.relaxvm.interoprelay.release.ReleasedInstruction.LoadConst;
import org.relaxvm.interoprelay.release.ReleasedInstruction.LoadConsti;
import org.relaxvm.interoprelay.release.ReleasedInstruction.Move;
import org.relaxvm.interoprelay.release.ReleasedInstruction.Ret;
import org.relaxvm.interoprelay.release.SamplePrograms;
import org.relaxvm.testsupport.Effort;
import org.relaxvm.testsupport.RandomCases;

/** Executables with wrong instructions are refused or translated: errors are ours. */
@Tag("effort")
class HostileExecutableTest {
  private static final int CASES = Effort.chosen().pick(1_000, 20_000, 200_000);
  private static final long MOST_NANOS = 5_000_000_000L;
  private static final long MOST_BYTES = 64 << 20;

  @Test
  void wrongInstructionsAreRefusedOrTranslated() {
    RandomCases cases = RandomCases.of(CASES);
    System.out.println("HostileExecutableTest: " + cases);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    int[] refused = {0};
    cases
        .numbers()
        .forEach(
            number -> {
              Random random = new Random(cases.seed() * 31 + number);
              ReleasedExecutable executable = damaged(random);
              long before = threads.getCurrentThreadAllocatedBytes();
              long start = System.nanoTime();
              try {
                ReleasedPrograms.of(executable, Map.of());
              } catch (RelaxException e) {
                refused[0]++;
                assertThat(e.isInternal()).as(cases.repeat(number) + " " + e).isFalse();
              } catch (RuntimeException | Error e) {
                throw new AssertionError("repeat with " + cases.repeat(number), e);
              }
              assertThat(threads.getCurrentThreadAllocatedBytes() - before)
                  .as(cases.repeat(number))
                  .isLessThan(MOST_BYTES);
              assertThat(System.nanoTime() - start).as(cases.repeat(number)).isLessThan(MOST_NANOS);
            });
    if (!cases.isSingle()) {
      assertThat(refused[0]).isBetween(CASES / 10, CASES - 1);
    }
  }

  private static ReleasedExecutable damaged(Random random) {
    Era era = Era.values()[random.nextInt(4)];
    ReleasedExecutable whole =
        switch (random.nextInt(4)) {
          case 0 -> SamplePrograms.list(era);
          case 1 -> SamplePrograms.tree(era);
          case 2 -> SamplePrograms.closure(era);
          default -> RandomRelease.of(random.nextLong());
        };
    List<ReleasedFunction> functions = new ArrayList<>();
    for (ReleasedFunction function : whole.functions()) {
      List<ReleasedInstruction> code = new ArrayList<>(function.code());
      for (int changes = random.nextInt(3); changes > 0; changes--) {
        int at = random.nextInt(code.size());
        switch (random.nextInt(3)) {
          case 0 -> code.set(at, instruction(random, function.registerFileSize()));
          case 1 -> code.set(at, code.get(random.nextInt(code.size())));
          default -> code.add(at, instruction(random, function.registerFileSize()));
        }
      }
      functions.add(
          new ReleasedFunction(
              function.name(),
              function.paramNames(),
              function.paramDevices(),
              function.registerFileSize(),
              code));
    }
    return new ReleasedExecutable(
        whole.version(),
        whole.era(),
        whole.devices(),
        whole.hostDevice(),
        functions,
        whole.constants(),
        whole.constantDevices(),
        whole.packed(),
        whole.packedAttributes());
  }

  private static ReleasedInstruction instruction(Random random, int registers) {
    int a = random.nextInt(registers + 1);
    int b = random.nextInt(registers);
    return switch (random.nextInt(9)) {
      case 0 -> new Move(a, b);
      case 1 -> new Ret(b);
      case 2 -> new Goto(random.nextInt(9) - 4);
      case 3 -> new If(b, b, random.nextInt(9) - 4, 1 + random.nextInt(3));
      case 4 -> new KillRegister(b);
      case 5 -> new LoadConsti(random.nextLong(), b);
      case 6 -> new LoadConst(random.nextInt(3), random.nextInt(2), b);
      case 7 -> new InvokePacked(random.nextInt(6), random.nextInt(2), List.of(b, b));
      default -> new ReleasedInstruction.GetField(b, random.nextInt(3) - 1, b);
    };
  }
}
