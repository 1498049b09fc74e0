package org.relaxvm.interoptvm;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.interoptvm.library.ModuleContent;
import org.relaxvm.interoptvm.library.ModuleNode;
import org.relaxvm.interoptvm.spi.RootModuleReader;
import org.relaxvm.interoptvm.spi.RootProgram;
import org.relaxvm.vmcore.executable.ReadResult;
import org.relaxvm.vmcore.program.LoadOptions;
import org.relaxvm.vmcore.program.ProgramMetadata;

/** The programs of root modules: Relax executables, and what other modules of RelaxVM read. */
final class RootModules {
  /** Modules of RelaxVM by the kinds that they read, for the message if one is missing. */
  private static final Map<String, String> JARS =
      Map.of(ModuleNode.RELAY_EXECUTABLE, "relaxvm-interop-relay");

  private final List<RootModuleReader> readers;
  private final List<String> problems;

  private RootModules(List<RootModuleReader> readers, List<String> problems) {
    this.readers = List.copyOf(readers);
    this.problems = List.copyOf(problems);
  }

  /** The readers that the thread's class loader finds. */
  static RootModules discover() {
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    List<RootModuleReader> readers = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    var found =
        ServiceLoader.load(
                RootModuleReader.class,
                context != null ? context : RootModules.class.getClassLoader())
            .iterator();
    while (true) {
      try {
        if (!found.hasNext()) {
          return new RootModules(readers, problems);
        }
        readers.add(found.next());
      } catch (ServiceConfigurationError | LinkageError e) {
        problems.add(e.getMessage());
      }
    }
  }

  /** These readers only. */
  static RootModules of(List<RootModuleReader> readers) {
    return new RootModules(readers, List.of());
  }

  /**
   * The program of a root module.
   *
   * @throws InvalidProgramException if no reader takes its kind
   */
  RootProgram read(ModuleNode root, ModuleContent content, LoadOptions options) {
    if (content instanceof ModuleContent.ExecutableContent(ReadResult result)) {
      requireNoParams(options);
      SequencedMap<String, String> facts = new LinkedHashMap<>();
      facts.put("executable", "era " + result.era() + " of the format");
      return new RootProgram(result.executable(), ProgramMetadata.EMPTY, facts);
    }
    for (RootModuleReader reader : readers) {
      if (reader.kind().equals(root.kind())) {
        return reader.read(root.bytes(), options);
      }
    }
    throw refusal(root.kind());
  }

  private static void requireNoParams(LoadOptions options) {
    if (options.params().isPresent()) {
      throw new InvalidProgramException(
          ErrorKind.VALUE,
          "the program takes no parameter file: executables of the Relax VM contain their constants"
              + "\n  got: "
              + options.params().get().toAbsolutePath()
              + "\n  what to do: load the program without it");
    }
  }

  private InvalidProgramException refusal(String kind) {
    String jar = JARS.get(kind);
    String expected =
        jar == null
            ? "a root module of kind " + ModuleNode.EXECUTABLE
            : "a reader of modules of kind " + kind + ", which is in the jar " + jar;
    String remedy =
        jar == null
            ? "compile the model with relax.build and export that"
            : "add the jar " + jar + " to the class path or module path";
    return new InvalidProgramException(
        ErrorKind.VALUE,
        (jar == null
                ? "the library holds no program for the Relax VM"
                : "the library holds a program for the Relay VM, which needs another module of"
                    + " RelaxVM")
            + "\n  expected: "
            + expected
            + "\n  got: "
            + (jar == null ? kind : "no such reader")
            + (problems.isEmpty() ? "" : "; unusable: " + String.join("; ", problems))
            + "\n  what to do: "
            + remedy);
  }
}
