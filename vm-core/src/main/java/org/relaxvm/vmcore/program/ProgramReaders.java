package org.relaxvm.vmcore.program;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.vmcore.binary.FileGuess;
import org.relaxvm.vmcore.verify.Verifier;
import org.relaxvm.vmcore.verify.VerifyOptions;

/** The formats that programs can be loaded from. Immutable and thread-safe. */
public final class ProgramReaders {
  private final List<ProgramReader> readers;
  private final List<String> problems;

  private ProgramReaders(List<ProgramReader> readers, List<String> problems) {
    this.readers = List.copyOf(readers);
    this.problems = List.copyOf(problems);
  }

  /** The readers that this class's loader or the thread's context loader finds. */
  public static ProgramReaders discover() {
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    return discover(context != null ? context : ProgramReaders.class.getClassLoader());
  }

  /**
   * The readers that a class loader finds, and always those of this module. A reader that cannot be
   * used is left out and told in {@link #problems()}.
   */
  public static ProgramReaders discover(ClassLoader loader) {
    List<ProgramReader> found = new ArrayList<>(builtIn());
    List<String> problems = new ArrayList<>();
    Iterator<ServiceLoader.Provider<ProgramReader>> providers =
        ServiceLoader.load(ProgramReader.class, loader).stream().iterator();
    while (true) {
      try {
        if (!providers.hasNext()) {
          return new ProgramReaders(found, problems);
        }
        ServiceLoader.Provider<ProgramReader> provider = providers.next();
        if (found.stream().noneMatch(r -> r.getClass() == provider.type())) {
          addMade(provider, found, problems);
        }
      } catch (ServiceConfigurationError | LinkageError e) {
        problems.add(
            "a program reader cannot be loaded: " + e.getMessage() + "; replace or remove its jar");
      }
    }
  }

  private static void addMade(
      ServiceLoader.Provider<ProgramReader> provider,
      List<ProgramReader> found,
      List<String> problems) {
    try {
      addChecked(provider.get(), found, problems);
    } catch (ServiceConfigurationError | LinkageError | RuntimeException e) {
      Throwable failure =
          e instanceof ServiceConfigurationError && e.getCause() != null ? e.getCause() : e;
      problems.add(
          "the program reader "
              + labelOf(provider.type())
              + " cannot be used: "
              + failure
              + "; replace or remove the jar");
    }
  }

  /** A reader's class and the jar that it comes from. */
  private static String labelOf(Class<?> type) {
    CodeSource source = type.getProtectionDomain().getCodeSource();
    return type.getName()
        + (source == null || source.getLocation() == null
            ? ""
            : " (" + source.getLocation().getPath() + ")");
  }

  /** The given readers only. */
  public static ProgramReaders of(List<ProgramReader> readers) {
    return new ProgramReaders(readers, List.of());
  }

  /** The readers, in the order in which they are asked. */
  public List<ProgramReader> readers() {
    return readers;
  }

  /** What was found and cannot be used, one sentence each. */
  public List<String> problems() {
    return problems;
  }

  /**
   * Reads a program with the first reader that accepts the file's content.
   *
   * @throws MalformedFileException when the file is missing, is no regular file, or no reader
   *     accepts it
   * @throws InvalidProgramException a {@code ValueError} when the options name files or options
   *     that the format does not have
   */
  public Program read(Path path, LoadOptions options) {
    requireFile(path);
    FileHead head = FileHead.of(path);
    for (ProgramReader reader : readers) {
      if (reader.accepts(head)) {
        return readWith(reader, path, options);
      }
    }
    throw refusal(path, head);
  }

  private static Program readWith(ProgramReader reader, Path path, LoadOptions options) {
    try {
      requireTaken(reader.takesParams(), "parameter file", options.params());
      requireTaken(reader.takesLibrary(), "library of kernels", options.library());
      requireOptions(reader, options.settings());
      Program program = reader.read(path, options);
      if (options.executable().strict()) {
        Verifier.verify(program.executable(), VerifyOptions.DEFAULT.withStrict(true));
      }
      return program;
    } catch (RelaxException e) {
      String file = path.toAbsolutePath().toString();
      if (!e.summary().contains(file)) {
        e.addLocation("file " + file + ", read as " + reader.name());
      }
      throw e;
    }
  }

  private static void requireTaken(boolean taken, String what, Optional<Path> file) {
    if (file.isPresent() && !taken) {
      throw new InvalidProgramException(
          ErrorKind.VALUE,
          "the program takes no "
              + what
              + "\n  got: "
              + file.get().toAbsolutePath()
              + "\n  what to do: load the program without it");
    }
  }

  /**
   * Refuses settings of options that a format does not have.
   *
   * @throws InvalidProgramException a {@code ValueError} that lists those that it has
   */
  public static void requireOptions(ProgramReader reader, List<FormatSetting> settings) {
    for (FormatSetting setting : settings) {
      if (reader.options().stream().noneMatch(o -> o.name().equals(setting.option()))) {
        throw new InvalidProgramException(
            ErrorKind.VALUE,
            "the format "
                + reader.name()
                + " has no option '"
                + setting.option()
                + "'\n  got: "
                + setting.option()
                + " "
                + setting.value()
                + "\n  options of the format: "
                + described(reader.options())
                + "\n  what to do: load the program without the option");
      }
    }
  }

  private static String described(List<FormatOption> options) {
    return options.isEmpty()
        ? "none"
        : options.stream()
            .map(option -> option.name() + " " + option.form())
            .collect(Collectors.joining(", "));
  }

  private static List<ProgramReader> builtIn() {
    return List.of(new ExecutableProgramReader(), new RvmReader(), new TextProgramReader());
  }

  private static void addChecked(
      ProgramReader reader, List<ProgramReader> found, List<String> problems) {
    if (reader.spiVersion() == ProgramReader.SPI_VERSION) {
      found.add(reader);
    } else {
      problems.add(
          "the program reader "
              + labelOf(reader.getClass())
              + " was made for version "
              + reader.spiVersion()
              + " of the reader interface, but this is version "
              + ProgramReader.SPI_VERSION
              + "; get a build of it for this release");
    }
  }

  private static void requireFile(Path path) {
    if (!Files.exists(path)) {
      throw new MalformedFileException(ErrorKind.IO, "no such file: " + path.toAbsolutePath());
    }
    if (Files.isDirectory(path)) {
      throw new MalformedFileException(
          ErrorKind.IO,
          "cannot load a program from " + path.toAbsolutePath() + ": it is a directory");
    }
    if (!Files.isRegularFile(path)) {
      throw new MalformedFileException(
          ErrorKind.IO,
          "cannot load a program from " + path.toAbsolutePath() + ": it is no regular file");
    }
  }

  private MalformedFileException refusal(Path path, FileHead head) {
    FileGuess guess = ContentGuess.of(head);
    StringBuilder text = new StringBuilder("cannot load a program from ");
    text.append(path.toAbsolutePath()).append(": it is ").append(guess.what());
    text.append("\n  readers: ");
    text.append(
        readers.stream()
            .map(reader -> reader.name() + " (" + reader.describe() + ")")
            .collect(Collectors.joining("; ")));
    for (String problem : problems) {
      text.append("\n  problem: ").append(problem);
    }
    text.append("\n  what to do: ").append(guess.remedy());
    return new MalformedFileException(ErrorKind.VALUE, text.toString());
  }
}
