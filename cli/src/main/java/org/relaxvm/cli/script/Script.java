package org.relaxvm.cli.script;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.cli.check.JsonFields;

/**
 * A {@code script.json}: a sequence of calls that share objects.
 *
 * @param folder where its files lie
 * @param note what it is about
 * @param devices the main device first
 * @param tolerance relative tolerance; 0 means exact
 * @param program whose functions it calls; empty where it calls registered functions only
 * @param steps in order, up to one that was cut off
 */
record Script(
    Path folder,
    String note,
    List<String> devices,
    double tolerance,
    Optional<Path> program,
    List<ScriptStep> steps) {
  static final String NAME = "script.json";

  /** Ends a script whose remaining steps were cut off. */
  private static final String CUT_OFF = "too_big";

  static Script read(Path folder) {
    Path file = folder.resolve(NAME);
    Map<String, Object> json;
    try {
      json = JSON.std.mapFrom(Files.readString(file));
    } catch (IOException e) {
      throw new MalformedFileException(
          ErrorKind.VALUE, "cannot read '" + file + "': " + e.getMessage(), e);
    }
    JsonFields fields = new JsonFields(file.toString(), json);
    List<ScriptStep> steps = new ArrayList<>();
    for (Object step : fields.list("steps")) {
      JsonFields of = new JsonFields(file + ", step " + steps.size(), JsonFields.object(step));
      if (of.has(CUT_OFF)) {
        break;
      }
      steps.add(ScriptStep.of(of));
    }
    return new Script(
        folder,
        fields.stringOr("note", ""),
        fields.has("devices")
            ? fields.strings("devices")
            : List.of(fields.stringOr("device", "cpu")),
        fields.numberOr("relative_tolerance", 0),
        fields.has("program")
            ? Optional.of(folder.resolve(fields.string("program")))
            : Optional.empty(),
        List.copyOf(steps));
  }

  Path file() {
    return folder.resolve(NAME);
  }

  String name() {
    return String.valueOf(folder.getFileName());
  }
}
