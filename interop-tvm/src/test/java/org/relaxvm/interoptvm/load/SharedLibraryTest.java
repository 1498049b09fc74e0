package org.relaxvm.interoptvm.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.LinkException;
import org.relaxvm.interoptvm.CLibrary;
import org.relaxvm.vmcore.program.HostLinks;

/** Libraries that are opened more than once, or together: vectors N6 and N7 of the native ABI. */
class SharedLibraryTest {
  @TempDir static Path folder;
  static Path file;

  @BeforeAll
  static void compile() {
    file = Imitation.compile(folder, "shared.so");
  }

  private static Map<String, PackedFunc> times(long factor) {
    return Map.of("test.twice", (args, result) -> result.setLong(factor * args.longAt(0)));
  }

  private static void copy(Path from, Path to) throws IOException {
    // As it is done for a file in use: the old one keeps its bytes.
    Path fresh = folder.resolve("fresh.so");
    Files.copy(from, fresh);
    Files.move(fresh, to, StandardCopyOption.REPLACE_EXISTING);
  }

  @Test
  void aLibraryThatBindsAtOnceIsLoaded() {
    Path now = Imitation.compile(folder, "now.so", "-Wl,-z,now");
    try (Imitation library = Imitation.open(now)) {
      assertThat(library.call("call_by_name", 21).asLong()).isEqualTo(42);
      assertThatThrownBy(() -> library.call("add", 1))
          .hasMessage("Expected 3 arguments when calling add");
    }
  }

  @Test
  void eachUserOfAFileCallsItsOwnFunctions() {
    try (Imitation two = Imitation.open(file, times(2));
        Imitation ten = Imitation.open(file, times(10));
        Imitation none = Imitation.open(file, Map.of())) {
      for (int i = 0; i < 3; i++) {
        assertThat(two.call("call_by_name", 7).asLong()).isEqualTo(14);
        assertThat(ten.call("call_by_name", 7).asLong()).isEqualTo(70);
        assertThatThrownBy(() -> none.call("call_by_name", 7))
            .hasMessageStartingWith(
                "compiled code needs the function 'test.twice', which nothing provides\n");
      }
      // One calls the other: on the way back each is itself again.
      assertThat(two.call("call_argument", ten.function("call_by_name"), 7).asLong()).isEqualTo(70);
      assertThat(two.call("call_by_name", 7).asLong()).isEqualTo(14);
    }
  }

  @Test
  void copiesOfAFileHaveVariablesOfTheirOwn() throws IOException {
    Path other = folder.resolve("other.so");
    Files.copy(file, other, StandardCopyOption.REPLACE_EXISTING);
    try (Imitation first = Imitation.open(file, times(2));
        Imitation again = Imitation.open(file, times(2));
        Imitation second = Imitation.open(other, times(3))) {
      assertThat(first.call("count").asLong()).isEqualTo(1);
      assertThat(again.call("count").asLong()).as("one file, one library").isEqualTo(2);
      assertThat(second.call("count").asLong()).as("another one").isEqualTo(1);
      assertThat(first.call("call_by_name", 7).asLong()).isEqualTo(14);
      assertThat(second.call("call_by_name", 7).asLong()).isEqualTo(21);
    }
  }

  @Test
  void aLibraryIsUnloadedByItsLastUserAndBoundAgain() {
    Imitation first = Imitation.open(file, times(2));
    try (Imitation second = Imitation.open(file, times(3))) {
      first.call("call_by_name", 7).close();
      long before = first.call("count").asLong();
      first.close();
      first.close();
      assertThat(second.call("call_by_name", 7).asLong()).isEqualTo(21);
      assertThat(second.call("count").asLong()).isEqualTo(before + 1);
    }
    try (Imitation third = Imitation.open(file, times(5))) {
      assertThat(third.call("count").asLong()).as("loaded afresh").isEqualTo(1);
      assertThat(third.call("call_by_name", 7).asLong()).isEqualTo(35);
    }
  }

  @Test
  void aFunctionOfAClosedLibraryIsNotCalled() {
    PackedFunc function;
    try (Imitation library = Imitation.open(file)) {
      function = library.function("count");
      function.invoke().close();
    }
    assertThatThrownBy(function::invoke)
        .isInstanceOf(CallException.class)
        .hasMessage("the native function count cannot be called any more: its library is closed");
    try (Imitation again = Imitation.open(file)) {
      assertThatThrownBy(function::invoke).hasMessageContaining("its library is closed");
      assertThat(again.call("count").asLong()).isEqualTo(1);
    }
  }

  @Test
  void aLibraryThatTheLinkerKeepsIsBoundAgain() {
    Path kept = Imitation.compile(folder, "kept.so", "-Wl,-z,nodelete");
    PackedFunc five = (_, result) -> result.setLong(5);
    try (Imitation library = Imitation.open(kept, Map.of("test.tensor", five))) {
      assertThatThrownBy(() -> library.call("call_missing")).isInstanceOf(CallException.class);
      assertThatThrownBy(() -> library.call("call_by_name", 7)).isInstanceOf(CallException.class);
    }
    try (Imitation library = Imitation.open(kept, times(2))) {
      assertThat(library.call("call_by_name", 7).asLong()).isEqualTo(14);
      library.call("count").close();
    }
    // The variable with the handle is set from here on.
    try (Imitation library = Imitation.open(kept, times(3))) {
      assertThat(library.call("count").asLong()).as("not loaded afresh").isEqualTo(2);
      assertThat(library.call("call_by_name", 7).asLong()).isEqualTo(21);
    }
  }

  @Test
  void aFileThatReplacedOneInUseIsLoadedBesideIt() throws IOException {
    Path path = folder.resolve("place.so");
    copy(file, path);
    Path newer = Imitation.compile(folder, "newer.so", "-DTVM_TEST_NEWER");
    try (Imitation old = Imitation.open(path, times(2))) {
      assertThat(old.call("count").asLong()).isEqualTo(1);
      copy(newer, path);
      try (Imitation replaced = Imitation.open(path, times(3));
          Imitation again = Imitation.open(path, times(3))) {
        assertThat(replaced.call("count").asLong()).as("counts in steps of 100").isEqualTo(100);
        assertThat(again.call("count").asLong()).isEqualTo(200);
        assertThat(old.call("count").asLong()).isEqualTo(2);
        assertThat(old.call("call_by_name", 7).asLong()).isEqualTo(14);
        assertThat(replaced.call("call_by_name", 7).asLong()).isEqualTo(21);
        // The name now stands for the newer library, and then for a third one.
        old.close();
        try (Imitation once = Imitation.open(path, times(4))) {
          assertThat(once.call("count").asLong()).isEqualTo(300);
        }
        copy(file, path);
        try (Imitation third = Imitation.open(path, times(5))) {
          assertThat(third.call("count").asLong()).isEqualTo(1);
          assertThat(third.call("call_by_name", 7).asLong()).isEqualTo(35);
          assertThat(replaced.call("count").asLong()).isEqualTo(400);
        }
      }
    }
  }

  @Test
  void aSymbolThatNobodyHasIsNamed() {
    Path needy = Imitation.compile(folder, "needy.so", "-DTVM_TEST_NEEDS=relaxvm_nobody");
    HostLinks links = new HostLinks(List.of(), _ -> Optional.empty());
    assertThatThrownBy(
            () ->
                BoundLibrary.open(
                    needy,
                    Convention.FROM_0_21,
                    Set.of("count"),
                    new Expected(List.of("relaxvm_nobody", "memcpy"), List.of()),
                    links))
        .isInstanceOf(LinkException.class)
        .hasMessage(
            "cannot load "
                + needy.toAbsolutePath()
                + ": "
                + needy.toAbsolutePath()
                + ": undefined symbol: relaxvm_nobody\n"
                + "  symbols that it expects and that neither RelaxVM nor this process has:"
                + " relaxvm_nobody\n"
                + "  what to do: link the library that has them when the model is exported, so"
                + " that the model names it, or compile the model without what needs them");
  }

  @Test
  void aSymbolOfANeededLibraryIsNotCalledMissing() throws IOException {
    CLibrary.compileText(folder, "int relaxvm_helper(void) { return 0; }", "libhelper.so");
    Path needy =
        Imitation.compile(
            folder,
            "needs-helper.so",
            "-DTVM_TEST_NEEDS=relaxvm_nobody",
            "-DTVM_TEST_HELPER",
            "-L" + folder,
            "-lhelper",
            "-Wl,-rpath,$ORIGIN");
    Expected expected =
        new Expected(List.of("relaxvm_helper", "relaxvm_nobody"), List.of("libhelper.so"));
    HostLinks links = new HostLinks(List.of(), _ -> Optional.empty());
    assertThatThrownBy(
            () -> BoundLibrary.open(needy, Convention.FROM_0_21, Set.of("count"), expected, links))
        .isInstanceOf(LinkException.class)
        .hasMessageContaining(
            "\n  symbols that it expects and that neither RelaxVM nor this process has:"
                + " relaxvm_nobody\n");
  }

  @Test
  void aFunctionThatALibraryRegistersIsItsFunction() {
    Path registering = Imitation.compile(folder, "registers.so", "-DTVM_TEST_REGISTERS");
    try (Imitation library = Imitation.open(registering)) {
      assertThat(library.call("announced").asLong()).isEqualTo(99);
      assertThat(library.library().functionNames())
          .contains("announced", "add")
          .doesNotContain("_library_bin");
    }
  }
}
