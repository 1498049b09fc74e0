package org.relaxvm.cli.inspect;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.api.object.ObjectTypes;
import org.relaxvm.compiler.file.ModuleFile;
import org.relaxvm.compiler.objects.ModuleObjects;
import org.relaxvm.objects.graph.ObjectGraph;

/** Files whose content is an object. */
public final class ObjectFile {
  private ObjectFile() {}

  /**
   * Reads the object.
   *
   * @throws MalformedFileException if the file is neither a JSON graph nor a module in Relax IR
   */
  public static @Nullable Object read(Path file, ObjectTypes types) {
    return ModuleFile.isJson(file)
        ? ObjectGraph.read(file, types).root()
        : ModuleObjects.write(ModuleFile.read(file), types);
  }
}
