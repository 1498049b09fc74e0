package org.relaxvm.integrationtests.rules;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.integrationtests.ProjectRoot;
import org.relaxvm.integrationtests.process.ProcessRun;

/**
 * Every Java file is formatted as google-java-format does it. The formatter runs in a JVM of its
 * own, which opens parts of the compiler to it. Contents that are known to be formatted are kept in
 * the folder of caches of tests, one digest a line, so that only changed files are formatted again.
 */
class FormatTest {
  private static final Path FORMATTER =
      ProjectRoot.path().resolve("integration-tests/target/formatter/google-java-format.jar");

  private static final List<String> COMPILER_PACKAGES =
      List.of("api", "code", "file", "main", "model", "parser", "processing", "tree", "util");

  @TempDir Path folder;

  @Test
  void everyFileIsFormatted() throws Exception {
    String version = digest(Files.readAllBytes(FORMATTER));
    Set<String> known = known(version);
    TreeMap<String, Path> unknown = new TreeMap<>();
    Set<String> digests = new TreeSet<>();
    for (Path file : sources()) {
      String digest = digest(Files.readAllBytes(file));
      digests.add(digest);
      if (!known.contains(digest)) {
        unknown.put(digest, file);
      }
    }

    Set<String> wrong = unformatted(unknown.values());

    unknown.forEach(
        (digest, file) -> {
          if (wrong.contains(file.toString())) {
            digests.remove(digest);
          }
        });
    keep(version, digests);
    assertThat(wrong)
        .as("files that are not formatted; ./dev format formats changed ones")
        .isEmpty();
  }

  @Test
  void aFileThatIsNotFormattedIsFound() throws Exception {
    Path good = Files.writeString(folder.resolve("Good.java"), "class Good {}\n");
    Path bad = Files.writeString(folder.resolve("Bad.java"), "class Bad { int x ; }\n");
    assertThat(unformatted(List.of(good, bad))).containsExactly(bad.toString());
  }

  /** Those of some files that the formatter would change. */
  private Set<String> unformatted(Iterable<Path> files) throws IOException, InterruptedException {
    Path list = folder.resolve("files");
    Files.write(list, lines(files));
    if (Files.size(list) == 0) {
      return Set.of();
    }
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:TieredStopAtLevel=1");
    command.add("--sun-misc-unsafe-memory-access=allow");
    for (String name : COMPILER_PACKAGES) {
      command.add("--add-opens=jdk.compiler/com.sun.tools.javac." + name + "=ALL-UNNAMED");
    }
    command.addAll(List.of("-jar", FORMATTER.toString(), "--dry-run", "@" + list));
    String changed = ProcessRun.of(new ProcessBuilder(command)).requireOut();
    return new TreeSet<>(changed.lines().toList());
  }

  private static List<String> lines(Iterable<Path> files) {
    List<String> lines = new ArrayList<>();
    files.forEach(file -> lines.add(file.toString()));
    return lines;
  }

  private static List<Path> sources() throws IOException {
    Path root = ProjectRoot.path();
    List<Path> sources = new ArrayList<>();
    for (Path source : folders(root)) {
      try (Stream<Path> files = Files.walk(source)) {
        files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
      }
    }
    assertThat(sources).hasSizeGreaterThan(1000);
    return sources;
  }

  /** Folders {@code src} of modules and examples; what builds write lies in none. */
  private static List<Path> folders(Path root) throws IOException {
    try (Stream<Path> top = Files.list(root);
        Stream<Path> examples = Files.list(root.resolve("examples"))) {
      return Stream.concat(top, examples)
          .map(module -> module.resolve("src"))
          .filter(Files::isDirectory)
          .collect(Collectors.toList());
    }
  }

  private static Path cache(String version) {
    String tests = System.getenv("RELAXVM_TEST_CACHE");
    return tests == null
        ? ProjectRoot.path().resolve("integration-tests/target/formatter/" + version)
        : Path.of(tests, "format", version);
  }

  private static Set<String> known(String version) throws IOException {
    Path file = cache(version);
    return Files.exists(file) ? Set.copyOf(Files.readAllLines(file)) : Set.of();
  }

  /** Written beside its final location and then moved, as other builds may do the same. */
  private static void keep(String version, Set<String> digests) throws IOException {
    Path file = cache(version);
    Files.createDirectories(file.getParent());
    Path written = Files.createTempFile(file.getParent(), "format", ".tmp");
    Files.write(written, digests, UTF_8);
    Files.move(written, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private static String digest(byte[] bytes) throws NoSuchAlgorithmException {
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
  }
}
