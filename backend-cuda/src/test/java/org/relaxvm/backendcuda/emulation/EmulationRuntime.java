package org.relaxvm.backendcuda.emulation;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What all programs of {@link HostCompiler} share, compiled once for a process: a header, which the
 * compiler has read already, and an object file with the code that runs blocks.
 */
final class EmulationRuntime {
  static final String HEADER = "emulation.h";

  private static final String PRECOMPILED = HEADER + ".gch";
  private static final String SOURCE = "emulation.cpp";
  private static final String OBJECT = "emulation.o";

  private final Path folder;

  private EmulationRuntime(Path folder) {
    this.folder = folder;
  }

  /** Compiles it into a folder that goes with the process. */
  static EmulationRuntime create() throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("emulated-cuda-runtime");
    folder.toFile().deleteOnExit();
    for (String file : List.of(HEADER, SOURCE, OBJECT, PRECOMPILED, "cuda.h", "log")) {
      folder.resolve(file).toFile().deleteOnExit();
    }
    Files.writeString(folder.resolve(HEADER), resource(HEADER));
    Files.writeString(folder.resolve(SOURCE), resource(SOURCE));
    // Programs of other compilers include it, and need nothing of it.
    Files.writeString(folder.resolve("cuda.h"), "");
    // Threads of a block have stacks of their own, between which fortified functions refuse to
    // jump.
    CompilerRun.run(
        "the emulation", folder, List.of("-O2", "-U_FORTIFY_SOURCE", "-c", "-o", OBJECT, SOURCE));
    CompilerRun.run(
        "the header of the emulation",
        folder,
        List.of(HostCompiler.LEVEL, "-x", "c++-header", "-o", PRECOMPILED, HEADER));
    return new EmulationRuntime(folder);
  }

  /** The sources, for keys of what is compiled with them. */
  static String sources() {
    return resource(HEADER) + resource(SOURCE);
  }

  /** The folder of the header. */
  Path folder() {
    return folder;
  }

  /** The object file that programs are linked with. */
  Path object() {
    return folder.resolve(OBJECT);
  }

  /** The text of a resource of the emulation. */
  static String resource(String name) {
    try (var in = EmulationRuntime.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("there is no emulation of " + name);
      }
      return new String(in.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
