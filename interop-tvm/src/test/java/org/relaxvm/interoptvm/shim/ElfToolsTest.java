package org.relaxvm.interoptvm.shim;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.relaxvm.interoptvm.object.CompiledC;
import org.relaxvm.interoptvm.object.Machine;

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
    String text = CompiledC.requireOutput(List.of("readelf", "-a", "-W", "-D", shim(machine)));
    assertThat(text)
        .doesNotContainIgnoringCase("warning")
        .doesNotContainIgnoringCase("error:")
        .doesNotContainIgnoringCase("corrupt")
        .contains("Library soname: [libshim.so]")
        .contains(ElfShim.TABLE)
        .contains(RuntimeSymbols.ALL);
    assertThat(CompiledC.requireOutput(List.of("readelf", "-a", "-W", shim(machine))))
        .doesNotContainIgnoringCase("warning")
        .doesNotContainIgnoringCase("error:");
  }

  @ParameterizedTest
  @EnumSource(names = {"X86_64", "AARCH64"})
  void objdumpSeesTheCode(Machine machine) throws IOException {
    String name = machine == Machine.X86_64 ? "i386:x86-64" : "aarch64";
    String known = CompiledC.requireOutput(List.of("objdump", "-i"));
    boolean knows = machine == Machine.X86_64 ? known.contains("x86-64") : known.contains(name);
    if (!knows) {
      System.out.println("skipped: objdump does not know " + machine);
    }
    Assumptions.assumeTrue(knows, "objdump does not know " + machine);
    String text =
        CompiledC.requireOutput(
            List.of("objdump", "-D", "-b", "binary", "-m", name, shim(machine)));
    if (machine == Machine.X86_64) {
      assertThat(text).containsPattern("cmpq +\\$0x0,\\(%rdi\\)").contains("jmp    *0x");
    } else {
      assertThat(text).containsPattern("ldar\\s+x9, \\[x0\\]").containsPattern("br\\s+x16");
    }
  }
}
