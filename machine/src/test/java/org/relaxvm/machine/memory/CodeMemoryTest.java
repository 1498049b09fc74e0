package org.relaxvm.machine.memory;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.relaxvm.machine.cpu.X64Processor;
import org.relaxvm.machine.x64.Assembler;
import org.relaxvm.machine.x64.Gp;
import org.relaxvm.machine.x64.Immediate;
import org.relaxvm.machine.x64.Instruction;

/** Code runs from memory that is not writable, and its room is used again. */
class CodeMemoryTest {
  private static final Path MAPS = Path.of("/proc/self/maps");

  @BeforeEach
  void needsAProcessorThatTheCodeIsFor() {
    assumeTrue(X64Processor.isCurrent(), "the processor is no x86-64");
  }

  /** A function that returns a number, and {@code padding} further bytes. */
  private static byte[] returning(int number, int padding) {
    Assembler assembler = Assembler.of(Set.of());
    assembler.emit(Instruction.MOV, Gp.RAX.low32(), Immediate.of(number));
    assembler.emit(Instruction.RET);
    byte[] code = assembler.finish();
    return Arrays.copyOf(code, code.length + padding);
  }

  private static int call(Code code) throws Throwable {
    return (int) code.handle(0, FunctionDescriptor.of(JAVA_INT)).invokeExact();
  }

  @Test
  void functionsShareARegionAndRunWhileOthersAreAdded() throws Throwable {
    try (CodeMemory memory = new CodeMemory()) {
      List<Code> all = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        all.add(memory.load(returning(i, i)));
        assertThat(call(all.get(i / 2))).isEqualTo(i / 2);
      }
      assertThat(memory.mappedBytes()).isEqualTo(1 << 20);
      assertThat(all)
          .allSatisfy(code -> assertThat(code.address() % CodeMemory.ALIGNMENT).isZero());
    }
  }

  @Test
  void roomOfClosedCodeIsUsedAgainAndEmptyRegionsAreUnmapped() throws Throwable {
    try (CodeMemory memory = new CodeMemory()) {
      Code first = memory.load(returning(1, 1_000));
      Code second = memory.load(returning(2, 1_000));
      long address = first.address();
      first.close();
      first.close();
      assertThat(memory.load(returning(3, 100)).address()).isEqualTo(address);
      Code large = memory.load(returning(4, 3 << 20));
      assertThat(call(large)).isEqualTo(4);
      assertThat(memory.mappedBytes()).isGreaterThan(4 << 20);
      large.close();
      assertThat(memory.mappedBytes()).isEqualTo(1 << 20);
      assertThat(call(second)).isEqualTo(2);
    }
  }

  @Test
  void aThousandLoadsAndClosesLeaveNothingMapped() throws Throwable {
    try (CodeMemory memory = new CodeMemory()) {
      for (int i = 0; i < 1_000; i++) {
        try (Code code = memory.load(returning(i, 500));
            Code other = memory.load(returning(i + 1, 70_000))) {
          assertThat(call(code) + 1).isEqualTo(call(other));
        }
      }
      assertThat(memory.mappedBytes()).isZero();
    }
  }

  @Test
  void noPageIsWritableAndExecutableAndNeighboursAreInaccessible() throws IOException {
    assumeTrue(Files.exists(MAPS), "no " + MAPS);
    try (CodeMemory memory = new CodeMemory()) {
      long address = memory.load(returning(1, 0)).address();
      List<String> maps = Files.readAllLines(MAPS);
      assertThat(maps.stream().filter(line -> line.contains("relaxvm-code")))
          .isNotEmpty()
          .noneMatch(line -> line.contains("rwx"));
      String start = Long.toHexString(address);
      int code = indexOf(maps, line -> line.startsWith(start + "-"));
      assertThat(maps.get(code)).contains(" r-xs ");
      String end = Long.toHexString(address + memory.mappedBytes());
      assertThat(maps).anyMatch(line -> line.matches("[0-9a-f]+-" + start + " ---p .*"));
      assertThat(maps).anyMatch(line -> line.matches(end + "-[0-9a-f]+ ---p .*"));
    }
  }

  private static int indexOf(List<String> lines, java.util.function.Predicate<String> test) {
    for (int i = 0; i < lines.size(); i++) {
      if (test.test(lines.get(i))) {
        return i;
      }
    }
    throw new AssertionError(String.join("\n", lines));
  }

  @Test
  void oneViewIsWrittenOnceAndRunsThen() throws Throwable {
    assumeTrue(Files.exists(MAPS), "no " + MAPS);
    long pageSize = CLibrary.pageSize();
    MappedRegion region = MappedRegion.ofOneView(pageSize, pageSize);
    CodeRange range = new CodeRange(region);
    try (CodeMemory memory = new CodeMemory()) {
      Code code = range.load(memory, returning(5, 0));
      assertThat(code).isNotNull();
      assertThat(call(code)).isEqualTo(5);
      assertThat(range.load(memory, returning(6, 0))).isNull();
      String start = Long.toHexString(region.address());
      assertThat(Files.readAllLines(MAPS))
          .anyMatch(line -> line.startsWith(start + "-") && line.contains(" r-xp "));
    }
    region.unmap();
  }

  @Test
  void closedMemoryTakesNoCode() {
    CodeMemory memory = new CodeMemory();
    Code code = memory.load(returning(1, 0));
    memory.close();
    memory.close();
    code.close();
    assertThatThrownBy(() -> memory.load(returning(2, 0)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the memory for code is closed");
  }

  @Test
  void refusalsSayWhichCallAndWhy() {
    assertThat(CodeMemoryException.ofCall("mmap", 4_096, 13))
        .hasMessage(
            "no executable memory: mmap of 4096 bytes failed with errno 13: not permitted: a policy"
                + " of the system forbids executable memory");
  }
}
