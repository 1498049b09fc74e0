package org.relaxvm.cli.command;

import java.nio.file.Path;
import java.util.Optional;
import org.relaxvm.vmcore.program.LoadOptions;
import picocli.CommandLine.Option;

/** The files that some programs are loaded with. */
final class LoadFiles {
  @Option(
      names = "--params",
      paramLabel = "FILE",
      description = "A .params file with the constants that the program's file lacks.")
  Optional<Path> params = Optional.empty();

  @Option(
      names = "--library",
      paramLabel = "FILE",
      description =
          "A native library with the kernels of a program of the Relay VM that is in a file of its"
              + " own.")
  Optional<Path> library = Optional.empty();

  /** Options to load a program with these files, whose native code may be run. */
  LoadOptions options() {
    LoadOptions options = LoadOptions.DEFAULT.withNativeCode(true);
    if (params.isPresent()) {
      options = options.withParams(params.get());
    }
    return library.isPresent() ? options.withLibrary(library.get()) : options;
  }
}
