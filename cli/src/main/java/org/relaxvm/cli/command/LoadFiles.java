package org.relaxvm.cli.command;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.relaxvm.cli.output.Console;
import org.relaxvm.cli.output.LoadBar;
import org.relaxvm.vmcore.program.LoadOptions;
import org.relaxvm.vmcore.program.Program;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The files that some programs are loaded with, and what models are specialized to. */
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

  @Option(
      names = "--bind",
      paramLabel = "NAME=N",
      description = "Replace the symbolic dimension NAME of a model by the constant N.")
  List<String> bind = List.of();

  @Mixin ModelSettings model = new ModelSettings();

  /** Loads a program, with a progress bar where that takes long. */
  Program load(Path program, Console console) {
    try (LoadBar bar = new LoadBar(console)) {
      return Program.load(program, options().withProgress(bar));
    }
  }

  /** Options to load a program with these files, whose native code may be run. */
  LoadOptions options() {
    LoadOptions options = model.in(LoadOptions.DEFAULT.withNativeCode(true));
    for (String extent : bind) {
      options = options.withSetting("bind", extent);
    }
    if (params.isPresent()) {
      options = options.withParams(params.get());
    }
    return library.isPresent() ? options.withLibrary(library.get()) : options;
  }
}
