package org.relaxvm.backendcpu.jit.x64;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.relaxvm.backendcpu.jit.LirInterpreter;
import org.relaxvm.backendcpu.jit.allocate.RegisterFile;
import org.relaxvm.testsupport.Effort;
import org.relaxvm.testsupport.RandomCases;

/** Random programs compute what the interpreter computes, with many and with few registers. */
@Tag("effort")
class RandomProgramsTest {
  private static final RandomCases CASES =
      RandomCases.of(Effort.chosen().pick(300, 3_000, 100_000));
  private static final int BLOCK_BYTES = 64;

  static List<X64Target> targets() {
    return Targets.ofThisProcessor();
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("targets")
  void codeAgreesWithTheInterpreter(X64Target target) {
    List<OpCase> supported = OpCase.all(target);
    CASES.numbers().forEach(number -> check(target, supported, number));
  }

  private static void check(X64Target target, List<OpCase> supported, long number) {
    Random random = new Random(CASES.seed() * 1_000_003 + number);
    RandomProgram program = RandomProgram.of(target, supported, random);
    int registers = List.of(0, 1, 2, 4, 100, 100).get(random.nextInt(6));
    RegisterFile file = Targets.limited(target, registers);
    int bytes = Math.max(1, program.outputs().size()) * RandomProgram.SLOT_BYTES;
    try (Arena arena = Arena.ofConfined();
        EmittedFunction emitted = EmittedFunction.of(program.function(), target, file)) {
      MemorySegment input = arena.allocate(RandomProgram.INPUT_BYTES, 64);
      for (int i = 0; i < RandomProgram.INPUT_BYTES / 8; i++) {
        boolean isSmall = random.nextBoolean();
        input.setAtIndex(JAVA_LONG, i, isSmall ? random.nextInt(64) : random.nextLong());
      }
      MemorySegment expected = arena.allocate(bytes, 64);
      MemorySegment got = arena.allocate(bytes, 64);
      MemorySegment block = block(arena, input, expected);
      MemorySegment otherBlock = block(arena, input, got);
      LirInterpreter interpreter = new LirInterpreter(block, input, expected);
      long status = interpreter.run(program.function(), block.address(), 3, 5, 7);
      assertThat(emitted.call(otherBlock.address(), 3, 5, 7))
          .as(() -> message(program, target, file, number))
          .isEqualTo(status);
      for (int word = 0; word < 2; word++) {
        assertThat(otherBlock.getAtIndex(JAVA_LONG, word))
            .as(() -> message(program, target, file, number))
            .isEqualTo(block.getAtIndex(JAVA_LONG, word));
      }
      for (RandomProgram.Output output : program.outputs()) {
        long end = (long) output.offset() + RandomProgram.SLOT_BYTES;
        assertThat(Results.difference(output.type(), expected, got, output.offset(), end))
            .as(() -> message(program, target, file, number))
            .isEmpty();
      }
    }
  }

  private static MemorySegment block(Arena arena, MemorySegment input, MemorySegment output) {
    MemorySegment block = arena.allocate(BLOCK_BYTES, 64);
    block.set(JAVA_LONG, 16, input.address());
    block.set(JAVA_LONG, 24, output.address());
    return block;
  }

  private static String message(
      RandomProgram program, X64Target target, RegisterFile file, long number) {
    return "%s, %s, %d registers: %n%s%n%s"
        .formatted(
            CASES.repeat(number),
            target,
            file.words().size(),
            program.function(),
            X64Emitter.emit(program.function(), target, CallingConvention.current(), file, true)
                .listing());
  }
}
