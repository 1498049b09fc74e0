package org.relaxvm.cli.inspect;

import java.nio.file.Path;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.api.object.ObjectTypes;
import org.relaxvm.compiler.file.ModuleFile;
import org.relaxvm.compiler.objects.ModuleObjects;
import org.relaxvm.objects.graph.ObjectGraph;
import org.relaxvm.objects.release.ReleasedGraph;
import org.relaxvm.objects.schema.TvmRelease;

/** Files whose content is an object. */
public final class ObjectFile {
  private ObjectFile() {}

  /**
   * Reads the object: a graph of any release, or a module as an object of the newest release.
   *
   * @throws MalformedFileException if the file is neither a JSON graph nor a module in Relax IR
   */
  public static ReleasedGraph read(Path file) {
    if (ModuleFile.isJson(file)) {
      return ReleasedGraph.read(file);
    }
    ObjectTypes types = ObjectTypes.discover();
    return new ReleasedGraph(
        new ObjectGraph(ModuleObjects.write(ModuleFile.read(file), types)),
        TvmRelease.newest(),
        types);
  }
}
