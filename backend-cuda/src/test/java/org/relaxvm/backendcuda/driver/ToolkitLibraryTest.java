package org.relaxvm.backendcuda.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ToolkitLibraryTest {
  private static final ToolkitLibrary LIBRARY =
      new ToolkitLibrary(
          List.of("librelaxvm-none.so.9", "librelaxvm-none.so.8"),
          List.of("relaxvm-none64_9.dll"),
          "relaxvm.test.library");

  private static final Function<SymbolLookup, Integer> ANY = symbols -> 1;

  @TempDir private Path folder;

  private Machine machine() {
    return new Machine(
        false, Map.of("CUDA_HOME", folder + "/home", "CUDA_PATH", ""), List.of(folder));
  }

  @Test
  void saysWhatItLookedForAndWhere() {
    assertThat(LIBRARY.find(machine(), ANY))
        .returns("", ToolkitLibrary.Found::file)
        .returns(
            "\n  looked for: librelaxvm-none.so.9, librelaxvm-none.so.8"
                + "\n  in: the folders of this machine's loader, %s/home/lib64, %s/lib64"
                    .formatted(folder, folder),
            ToolkitLibrary.Found::tried);
  }

  @Test
  void isNamedOtherwiseOnWindows() {
    assertThat(LIBRARY.find(new Machine(true, Map.of(), List.of()), ANY).tried())
        .isEqualTo(
            "\n  looked for: relaxvm-none64_9.dll"
                + "\n  in: the folders of this machine's loader");
  }

  @Test
  void takesTheFirstThatIsOfUse() throws IOException {
    Path home = Files.createDirectories(folder.resolve("home/lib64"));
    Path usual = Files.createDirectories(folder.resolve("lib64"));
    Path useless = home.resolve("librelaxvm-none.so.9");
    CLibrary.compile(useless, "int other(void) { return 1; }");
    Path broken = Files.writeString(usual.resolve("librelaxvm-none.so.9"), "no library");
    Path good = usual.resolve("librelaxvm-none.so.8");
    CLibrary.compile(good, "int wanted(void) { return 1; }");
    ToolkitLibrary.Found<Long> found = LIBRARY.find(machine(), ToolkitLibraryTest::wanted);
    assertThat(found.library()).isPresent();
    assertThat(found.file()).isEqualTo(good.toString());
    assertThat(broken).exists();

    Files.delete(good);
    assertThat(LIBRARY.find(machine(), ToolkitLibraryTest::wanted).tried())
        .endsWith("\n  " + useless + " is loaded, but has nothing that is wanted");
  }

  private static Long wanted(SymbolLookup symbols) {
    return symbols
        .find("wanted")
        .orElseThrow(() -> new ToolkitLibrary.UselessException("has nothing that is wanted"))
        .address();
  }

  @Test
  void looksForNoOtherThanTheNamedOne() throws IOException {
    Path home = Files.createDirectories(folder.resolve("home/lib64"));
    CLibrary.compile(home.resolve("librelaxvm-none.so.9"), "int wanted(void) { return 1; }");
    String missing = folder.resolve("other.so").toString();
    System.setProperty("relaxvm.test.library", missing);
    try {
      assertThat(LIBRARY.find(machine(), ANY).tried())
          .isEqualTo(
              "\n  looked for: "
                  + missing
                  + ", which -Drelaxvm.test.library= names (there is no such file)");
    } finally {
      System.clearProperty("relaxvm.test.library");
    }
  }
}
