package org.relaxvm.cli.check;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.vmcore.program.LoadOptions;

/**
 * A case folder's {@code case.json}: the runs of a program with their expected results.
 *
 * @param folder where tensor files and the program lie
 * @param devices the devices that the case was made on, the main device first
 * @param tolerance relative tolerance; 0 means exact
 * @param runs in order
 */
public record CaseFile(Path folder, List<String> devices, double tolerance, List<CaseRun> runs) {
  static final String NAME = "case.json";

  private static final String EXPORTED = "model.so";
  private static final String RELAY_EXECUTABLE = "code.ro";

  /** A library comes before the bare executable, which is the same program without its kernels. */
  private static final List<String> PROGRAMS =
      List.of(
          "program.rvm",
          EXPORTED,
          "executable.bin",
          RELAY_EXECUTABLE,
          "program.txt",
          "program.relax",
          "program.relay");

  /** The constants that an executable of the Relay VM lacks. */
  private static final String PARAMS = "consts.params";

  /** The kernels of an executable of the Relay VM. */
  private static final String LIBRARY = "lib.so";

  /** Copies the lists. */
  public CaseFile {
    devices = List.copyOf(devices);
    runs = List.copyOf(runs);
  }

  /**
   * Reads {@code case.json} of a folder.
   *
   * @throws MalformedFileException when there is none, or when it has another form
   */
  public static CaseFile read(Path folder) {
    Path file = folder.resolve(NAME);
    if (!Files.isRegularFile(file)) {
      throw new MalformedFileException(
          ErrorKind.IO,
          "no case in '"
              + folder
              + "': a case folder holds case.json, a program ("
              + String.join(", ", PROGRAMS)
              + ") and tensor files");
    }
    Map<String, Object> json;
    try {
      json = JSON.std.mapFrom(Files.readString(file));
    } catch (IOException e) {
      throw new MalformedFileException(
          ErrorKind.VALUE, "cannot read '" + file + "': " + firstLine(e.getMessage()), e);
    }
    JsonFields fields = new JsonFields(file.toString(), json);
    List<CaseRun> runs = new ArrayList<>();
    int index = 0;
    for (Object run : fields.list("runs")) {
      runs.add(CaseRun.of(new JsonFields(file + ", run " + index++, JsonFields.object(run))));
    }
    return new CaseFile(
        folder,
        fields.has("devices")
            ? fields.strings("devices")
            : List.of(fields.stringOr("device", "cpu")),
        fields.numberOr("relative_tolerance", 0),
        runs);
  }

  /** The program of the case. */
  public Path program() {
    for (String name : PROGRAMS) {
      Path program = folder.resolve(name);
      if (Files.isRegularFile(program)) {
        return program;
      }
    }
    throw new MalformedFileException(
        ErrorKind.IO,
        "no program in '" + folder + "': expected one of " + String.join(", ", PROGRAMS));
  }

  /** How the program is loaded: with the constants and the kernels that lie beside it. */
  LoadOptions loadOptions() {
    LoadOptions options = LoadOptions.DEFAULT;
    String program = String.valueOf(program().getFileName());
    boolean isBare = program.equals(RELAY_EXECUTABLE);
    Path params = folder.resolve(PARAMS);
    if ((isBare || program.equals(EXPORTED)) && Files.isRegularFile(params)) {
      options = options.withParams(params);
    }
    Path library = folder.resolve(LIBRARY);
    return isBare && Files.isRegularFile(library) ? options.withLibrary(library) : options;
  }

  static String firstLine(@Nullable String text) {
    return text == null ? "no reason given" : text.lines().findFirst().orElse("no reason given");
  }
}
