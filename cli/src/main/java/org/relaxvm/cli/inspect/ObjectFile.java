package org.relaxvm.cli.inspect;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.api.object.ObjectTypes;
import org.relaxvm.objects.graph.ObjectGraph;

/** Files whose content is an object. */
public final class ObjectFile {
  private ObjectFile() {}

  /**
   * Reads the object.
   *
   * @throws MalformedFileException if the file is none of the formats, or damaged
   */
  public static @Nullable Object read(Path file, ObjectTypes types) {
    String name = file.getFileName() == null ? "" : file.getFileName().toString();
    if (name.toLowerCase(Locale.ROOT).endsWith(".json") || !Files.isRegularFile(file)) {
      return ObjectGraph.read(file, types).root();
    }
    throw new MalformedFileException(
        ErrorKind.VALUE, file + " has no tree of objects\n  expected: a JSON graph (.json)");
  }
}
