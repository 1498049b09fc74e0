package org.relaxvm.integrationtests.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.relaxvm.integrationtests.ProjectRoot;

/**
 * A cache of loaded and linked classes for JVMs that run the command, as the launcher has one. The
 * first that asks for it makes it, for the jars of this build; processes that ask meanwhile wait.
 * It is for class paths that begin with these jars, and passed over by JVMs that it does not fit.
 */
final class StartCache {
  private static final Path FOLDER = ProjectRoot.path().resolve("integration-tests/target/start");
  private static final Path SAMPLE = ProjectRoot.path().resolve("examples/digits");

  private StartCache() {}

  /** Flags for the JVM; none where no cache can be made, of which a line tells. */
  static synchronized List<String> flags(List<Path> jars) throws IOException, InterruptedException {
    Path cache = FOLDER.resolve(key(jars) + ".aot");
    if (!Files.exists(cache)) {
      Files.createDirectories(FOLDER);
      try (FileChannel lock =
              FileChannel.open(
                  FOLDER.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
          var _ = lock.lock()) {
        if (!Files.exists(cache)) {
          deleteOthers();
          make(cache, jars);
        }
      }
    }
    return Files.size(cache) == 0
        ? List.of()
        : List.of("-Xlog:aot*=off", "-Xlog:cds*=off", "-XX:AOTCache=" + cache);
  }

  /** Leaves an empty file where none can be made, so that nobody tries again. */
  private static void make(Path cache, List<Path> jars) throws IOException, InterruptedException {
    Path made = FOLDER.resolve("new.aot");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Drelaxvm.cpu.vectors=off");
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("-XX:AOTCacheOutput=" + made);
    command.add("-cp");
    command.add(jars.stream().map(Path::toString).collect(joining(File.pathSeparator)));
    command.add(ChildJvm.COMMAND);
    command.add("run");
    command.add(SAMPLE.resolve("digits.rvm").toString());
    command.add(SAMPLE.resolve("samples/seven.png").toString());
    ProcessRun run = ProcessRun.of(new ProcessBuilder(command));
    if (run.status() != 0 || !Files.exists(made)) {
      System.out.println("JVMs of tests start without a cache: " + run.out() + run.err());
      Files.write(made, new byte[0]);
    }
    Files.move(made, cache, StandardCopyOption.ATOMIC_MOVE);
  }

  private static void deleteOthers() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      for (Path file : files.filter(file -> file.toString().endsWith(".aot")).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }

  private static String key(List<Path> jars) throws IOException {
    StringBuilder facts = new StringBuilder(System.getProperty("java.vm.version", ""));
    for (Path jar : jars) {
      facts.append('\n').append(jar).append(' ').append(Files.size(jar));
      facts.append(' ').append(Files.getLastModifiedTime(jar));
    }
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(facts.toString().getBytes(UTF_8));
      return HexFormat.of().formatHex(digest, 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
