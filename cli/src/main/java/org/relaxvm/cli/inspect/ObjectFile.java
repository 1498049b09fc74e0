package org.relaxvm.cli.inspect;

import java.nio.file.Path;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.api.object.ObjectTypes;
import org.relaxvm.compiler.dsl.StandardOps;
import org.relaxvm.compiler.file.ModuleFile;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.objects.ModuleObjects;
import org.relaxvm.compiler.text.RelaxText;
import org.relaxvm.objects.graph.ObjectGraph;
import org.relaxvm.objects.release.ReleasedGraph;
import org.relaxvm.objects.schema.TvmRelease;
import org.relaxvm.vmcore.program.LoadOptions;
import org.relaxvm.vmcore.program.Program;

/** Files whose content is an object. */
public final class ObjectFile {
  /** How the text of a module names a constant that is not in it. */
  private static final String LARGE_CONSTANT = "metadata[\"relax.expr.Constant\"]";

  private ObjectFile() {}

  /**
   * Reads the object: a graph of any release, or as an object of the newest release a module in
   * Relax IR, or the module that a compiled program was compiled from.
   *
   * @throws MalformedFileException if the file is none of them
   * @throws CallException a {@code ValueError} if the program does not have its module
   */
  public static ReleasedGraph read(Path file) {
    if (ModuleFile.isJson(file)) {
      return ReleasedGraph.read(file);
    }
    ObjectTypes types = ObjectTypes.discover();
    return new ReleasedGraph(
        new ObjectGraph(ModuleObjects.write(module(file), types)), TvmRelease.newest(), types);
  }

  /**
   * The module of a file: of a compiled program the one that it was compiled from.
   *
   * @throws CallException a {@code ValueError} if the program does not have its module
   */
  public static IRModule module(Path file) {
    if (ModuleFile.isModule(file)) {
      return ModuleFile.read(file);
    }
    Program program = Program.load(file, LoadOptions.DEFAULT);
    String ir = SourceText.ir(program);
    if (ir.contains(LARGE_CONSTANT)) {
      throw new CallException(
          ErrorKind.VALUE,
          program.source()
              + " has Relax IR without its large constants\n"
              + "  what to do: name the .relax or .json file that it was compiled from");
    }
    return RelaxText.parse(ir, program.source(), StandardOps.registry());
  }
}
