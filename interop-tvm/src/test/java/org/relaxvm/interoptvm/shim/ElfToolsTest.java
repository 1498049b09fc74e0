package org.relaxvm.interoptvm.shim;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.relaxvm.interoptvm.object.LibraryTools;
import org.relaxvm.interoptvm.object.Machine;
import org.relaxvm.interoptvm.object.ObjectFile;
import org.relaxvm.interoptvm.object.ObjectSymbol;

/** What other tools see in a shim. */
class ElfToolsTest {
  private @TempDir Path folder;

  private String shim(Machine machine) throws IOException {
    byte[] image = ElfShim.image(machine, "libshim.so", RuntimeSymbols.ALL);
    return Files.write(folder.resolve("shim.so"), image).toString();
  }

  @ParameterizedTest
  @EnumSource(names = {"X86_64", "AARCH64"})
  void readelfHasNothingToSay(Machine machine) throws IOException {
    String text = LibraryTools.requireOutput(List.of("readelf", "-a", "-W", "-D", shim(machine)));
    assertThat(text)
        .doesNotContainIgnoringCase("warning")
        .doesNotContainIgnoringCase("error:")
        .doesNotContainIgnoringCase("corrupt")
        .contains("Library soname: [libshim.so]")
        .contains(ElfShim.TABLE)
        .contains(RuntimeSymbols.ALL);
    assertThat(LibraryTools.requireOutput(List.of("readelf", "-a", "-W", shim(machine))))
        .doesNotContainIgnoringCase("warning")
        .doesNotContainIgnoringCase("error:");
  }

  @Test
  void objdumpSeesTheCodeForX86() throws IOException {
    String known = LibraryTools.requireOutput(List.of("objdump", "-i"));
    if (!known.contains("x86-64")) {
      System.out.println("skipped: objdump does not know x86-64");
    }
    Assumptions.assumeTrue(known.contains("x86-64"), "objdump does not know x86-64");
    String text =
        LibraryTools.requireOutput(
            List.of("objdump", "-D", "-b", "binary", "-m", "i386:x86-64", shim(Machine.X86_64)));
    assertThat(text).containsPattern("cmpq +\\$0x0,\\(%rdi\\)").contains("jmp    *0x");
  }

  @Test
  void llvmSeesTheCodeForArm() throws IOException {
    byte[] image = ElfShim.image(Machine.AARCH64, "lib", List.of(RuntimeSymbols.INIT_ONCE));
    ObjectSymbol function =
        ObjectFile.read(MemorySegment.ofArray(image), "lib")
            .symbol(RuntimeSymbols.INIT_ONCE)
            .orElseThrow();
    StringBuilder code = new StringBuilder();
    for (int i = 0; i < 24; i++) {
      code.append(String.format("0x%02x ", image[(int) function.address() + i]));
    }
    Path file = Files.writeString(folder.resolve("code.txt"), code);
    String text =
        LibraryTools.requireOutput(
            List.of("llvm-mc", "--disassemble", "-triple=aarch64", file.toString()));
    assertThat(text.lines().map(line -> line.strip().replaceAll("\\s+", " ")))
        .containsSubsequence("ldar x9, [x0]", "cbz x9, #12", "mov w0, #0", "ret")
        .last()
        .isEqualTo("br x16");
    assertThat(text).containsPattern("ldr\\s+x16, #");
  }
}
