package org.relaxvm.cli.command;

import java.nio.file.Files;
import java.nio.file.Path;
import org.relaxvm.compiler.CompileOptions;
import org.relaxvm.compiler.Compiler;
import org.relaxvm.compiler.file.CompileProgress;
import org.relaxvm.compiler.file.ModuleFile;
import org.relaxvm.compiler.file.ModuleSettings;
import org.relaxvm.compiler.file.RelaxProgramReader;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.interoponnx.OnnxModel;
import org.relaxvm.interoponnx.OnnxProgramReader;
import org.relaxvm.interoponnx.OnnxSettings;
import org.relaxvm.vmcore.program.FileHead;
import org.relaxvm.vmcore.program.LoadOptions;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.program.ProgramReader;
import org.relaxvm.vmcore.program.ProgramReaders;

/** A file that the compiler compiles: an ONNX model, or a module in Relax IR. Immutable. */
record SourceModel(Path file, boolean isOnnx, LoadOptions options) {
  /** Whether a regular file is one by its content. */
  static boolean isOne(Path file) {
    return isOnnx(file) || new RelaxProgramReader().accepts(FileHead.of(file));
  }

  /** Whether a file is an ONNX model by its content. */
  static boolean isOnnx(Path file) {
    return Files.isRegularFile(file) && new OnnxProgramReader().accepts(FileHead.of(file));
  }

  /**
   * A file that is loaded with options.
   *
   * @throws org.relaxvm.api.error.InvalidProgramException when the format has no such option
   */
  static SourceModel of(Path file, LoadOptions options) {
    boolean isOnnx = isOnnx(file);
    ProgramReader reader = isOnnx ? new OnnxProgramReader() : new RelaxProgramReader();
    ProgramReaders.requireOptions(reader, options.settings());
    return new SourceModel(file, isOnnx, options);
  }

  /** The module that is compiled. */
  IRModule module() {
    if (isOnnx) {
      OnnxModel model = OnnxModel.open(file);
      return model.toRelax(OnnxSettings.of(model, options));
    }
    return ModuleSettings.apply(ModuleFile.read(file), options.settings());
  }

  /** The program. */
  Program compile(CompileOptions compileOptions) {
    if (isOnnx) {
      OnnxModel model = OnnxModel.open(file);
      return model.compile(OnnxSettings.of(model, options), compileOptions);
    }
    return Compiler.compile(module(), CompileProgress.in(compileOptions, options.progress()));
  }
}
