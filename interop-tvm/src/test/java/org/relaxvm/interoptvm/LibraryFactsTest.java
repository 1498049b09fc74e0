package org.relaxvm.interoptvm;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.interoptvm.library.LibraryBin;
import org.relaxvm.interoptvm.library.ModuleNode;
import org.relaxvm.vmcore.program.Program;

/** What is told of the modules in a library, however many ways lead to them. */
@Timeout(30)
class LibraryFactsTest {
  private static final MemorySegment SOME = MemorySegment.ofArray("x".getBytes(UTF_8));

  @TempDir Path folder;

  private String modules(List<ModuleNode> below) throws IOException {
    MemorySegment executable =
        LibraryBin.read(GoldenLibrary.container("02-ones-cast-dynamic")).root().bytes();
    List<ModuleNode> all = new ArrayList<>(below);
    all.addFirst(new ModuleNode(ModuleNode.EXECUTABLE, executable, List.of(1, 2)));
    Path container = folder.resolve("container.bin").toAbsolutePath();
    Files.write(container, new LibraryBin(all).toBytes());
    Path library =
        CLibrary.compile(
            folder, "imitation.c", "facts.so", "-DTVM_TEST_CONTAINER=\"" + container + "\"");
    return Program.load(library).hostCode().getFirst().facts().getOrDefault("modules", "");
  }

  private static ModuleNode node(String kind, Integer... children) {
    return new ModuleNode(kind, SOME, List.of(children));
  }

  @Test
  void whatSeveralImportIsToldOnce() throws IOException {
    assertThat(modules(List.of(node("a", 3), node("b", 3), node("c"))))
        .isEqualTo("relax.VMExecutable imports (a [unknown] imports c [unknown], b [unknown])");
  }

  @Test
  void manyWaysToManyModulesAreNoTrouble() throws IOException {
    int count = 3000;
    List<ModuleNode> modules = new ArrayList<>();
    for (int i = 1; i < count; i++) {
      modules.add(i < count - 2 ? node("k" + i, i + 1, i + 2, i + 1, i + 2) : node("k" + i));
    }
    assertThat(modules(modules))
        .startsWith("relax.VMExecutable imports (k1 [unknown] imports (k2 [unknown] imports (")
        .endsWith(" more")
        .hasSizeLessThan(10_000);
  }
}
