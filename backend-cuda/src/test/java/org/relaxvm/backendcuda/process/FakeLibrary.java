package org.relaxvm.backendcuda.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Assumptions;

/** A driver of CUDA that is compiled here, with one device that is memory of the host. */
final class FakeLibrary {
  private FakeLibrary() {}

  /**
   * Compiles it.
   *
   * @param folder gets {@code libcuda.so.1}
   * @param options of the compiler
   */
  static void compile(Path folder, String... options) throws IOException, InterruptedException {
    Path source = folder.resolve("libcuda.c");
    try (InputStream text =
        Objects.requireNonNull(FakeLibrary.class.getResourceAsStream("/driver/libcuda.c"))) {
      Files.copy(text, source);
    }
    List<String> command =
        new ArrayList<>(List.of("cc", "-shared", "-fPIC", "-Wl,-soname,libcuda.so.1"));
    command.addAll(List.of(options));
    command.addAll(List.of("-o", folder.resolve("libcuda.so.1").toString(), source.toString()));
    Process compiler;
    try {
      compiler = new ProcessBuilder(command).redirectErrorStream(true).start();
    } catch (IOException e) {
      skip("no C compiler can be run: " + e.getMessage());
      return;
    }
    String said = new String(compiler.getInputStream().readAllBytes(), UTF_8);
    if (compiler.waitFor() != 0) {
      throw new AssertionError("the driver of the tests does not compile:\n" + said);
    }
  }

  private static void skip(String reason) {
    System.out.println("skipped: " + reason);
    Assumptions.abort(reason);
  }
}
