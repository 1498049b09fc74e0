package org.relaxvm.interoptvm.object;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.interoptvm.shim.RuntimeSymbols;

/** Libraries that Apache TVM exported. */
class GoldenLibrariesTest {
  private static final Path FOLDER = Path.of("../../shared/golden");
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private static List<Path> libraries() throws IOException {
    if (!Files.isDirectory(FOLDER)) {
      System.out.println("skipped: no golden artefacts at " + FOLDER.toAbsolutePath().normalize());
    }
    Assumptions.assumeTrue(Files.isDirectory(FOLDER), "no golden artefacts at " + FOLDER);
    try (Stream<Path> folders = Files.list(FOLDER)) {
      return folders
          .map(folder -> folder.resolve("model.so"))
          .filter(Files::exists)
          .sorted()
          .toList();
    }
  }

  private static ObjectFile map(Path library, Arena arena) throws IOException {
    try (FileChannel channel = FileChannel.open(library)) {
      MemorySegment bytes = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
      return ObjectFile.read(bytes, library.toString());
    }
  }

  @Test
  void theirDataAndFunctionsAreFound() throws IOException {
    assertThat(libraries()).isNotEmpty();
    for (Path library : libraries()) {
      try (Arena arena = Arena.ofConfined()) {
        ObjectFile file = map(library, arena);
        assertThat(file.unfit("Linux", "amd64")).isEmpty();
        assertThat(file.asksForExecutableStack()).isFalse();
        assertThat(file.bindsNow()).isFalse();
        MemorySegment blob = file.dataOf("__tvm_ffi__library_bin").orElseThrow();
        assertThat(blob.get(LONG, 0) + 8).as("%s", library).isLessThanOrEqualTo(blob.byteSize());
        assertThat(file.unresolved(Set.copyOf(RuntimeSymbols.ALL)))
            .as("%s", library)
            .isSubsetOf("expf", "logf");
        assertThat(
                file.defined().values().stream()
                    .filter(symbol -> symbol.name().startsWith("__tvm_ffi_"))
                    .map(ObjectSymbol::kind))
            .contains(ObjectSymbol.Kind.FUNCTION);
      }
    }
  }

  @Test
  void symbolsAreThoseThatReadelfShows() throws IOException {
    for (Path library : libraries()) {
      try (Arena arena = Arena.ofConfined()) {
        ObjectFile file = map(library, arena);
        Map<String, String> defined = new TreeMap<>();
        Set<String> undefined = new TreeSet<>();
        List<String> command = List.of("readelf", "-W", "--dyn-syms", library.toString());
        for (String line : LibraryTools.requireOutput(command).split("\n")) {
          String[] words = line.strip().split(" +");
          if (words.length < 8 || !words[0].matches("[0-9]+:") || words[4].equals("LOCAL")) {
            continue;
          }
          String name = words[7].replaceAll("@.*", "");
          if (words[6].equals("UND")) {
            undefined.add(name + " " + words[4].equals("WEAK"));
          } else {
            defined.put(name, Long.parseLong(words[1], 16) + " " + Long.decode(words[2]));
          }
        }
        Map<String, String> ours = new TreeMap<>();
        file.defined().forEach((name, s) -> ours.put(name, s.address() + " " + s.size()));
        assertThat(ours).isEqualTo(defined);
        assertThat(file.undefined().stream().map(s -> s.name() + " " + s.weak()))
            .containsExactlyInAnyOrderElementsOf(undefined);
      }
    }
  }

  @Test
  void cutLibrariesEndInTypedErrors() throws IOException {
    for (Path library : libraries()) {
      byte[] whole = Files.readAllBytes(library);
      MemorySegment bytes = MemorySegment.ofArray(whole);
      List<Integer> read = new ArrayList<>();
      for (int length = 0; length < whole.length; length += 1024) {
        try {
          ObjectFile.read(bytes.asSlice(0, length), "cut.so");
          read.add(length);
        } catch (MalformedFileException e) {
          assertThat(e).hasMessageContaining("at byte ").hasMessageContaining("what to do: ");
        }
      }
      assertThat(read).isEmpty();
    }
  }
}
