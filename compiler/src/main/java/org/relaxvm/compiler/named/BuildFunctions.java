package org.relaxvm.compiler.named;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.BiConsumer;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.compiler.CompileOptions;
import org.relaxvm.compiler.Compiler;
import org.relaxvm.compiler.pass.ExecMode;
import org.relaxvm.compiler.pass.Pass;
import org.relaxvm.compiler.pass.PassPipeline;
import org.relaxvm.vmcore.program.CompiledModule;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.program.RvmWriter;

/**
 * Modules become programs. Thread-safe.
 *
 * <p>Rationale: docs/rationale/compiler.md, "Why does `relax.build` have no target?"
 */
final class BuildFunctions {
  private static final String BUILD = "relax.build(module, pipeline, exec_mode)";
  private static final String BYTES = "relaxvm.program.bytes(program)";

  private final ModuleArguments modules;
  private final PassArguments passes;

  BuildFunctions(ModuleArguments modules, PassArguments passes) {
    this.modules = modules;
    this.passes = passes;
  }

  void addTo(BiConsumer<String, PackedFunc> target) {
    target.accept(BUILD, this::build);
    target.accept(BYTES, BuildFunctions::bytes);
  }

  private void build(CallArgs args, CallResult result) {
    CompileOptions options = CompileOptions.DEFAULT;
    if (args.count() > 1 && !args.isNull(1)) {
      PassPipeline chosen = pipeline(passes.at(args, 1));
      options = options.withPipeline(_ -> chosen);
    }
    if (args.count() > 2 && !args.isNull(2)) {
      options = options.withExecMode(execMode(args.stringAt(2)));
    }
    result.set(Compiler.compile(modules.at(args, 0), options));
  }

  private static PassPipeline pipeline(Pass pass) {
    return pass instanceof Sequence sequence
        ? sequence.pipeline()
        : PassRegistry.numbered(List.of(pass));
  }

  private static ExecMode execMode(String name) {
    for (ExecMode mode : ExecMode.values()) {
      if (mode.name().toLowerCase(Locale.ROOT).equals(name)) {
        return mode;
      }
    }
    throw new CallException(
        ErrorKind.VALUE,
        "argument #2 must be an execution mode\n  expected: bytecode, compiled\n  got: " + name);
  }

  private static void bytes(CallArgs args, CallResult result) {
    args.requireCount(BYTES, 1);
    Program program =
        switch (args.at(0)) {
          case Program given -> given;
          case CompiledModule module -> module.program();
          case null, default -> throw args.mismatch(0, "relax.VMExecutable");
        };
    result.set(bytes(program));
  }

  private static byte[] bytes(Program program) {
    try {
      Path file = Files.createTempFile("relaxvm", ".rvm");
      try {
        RvmWriter.write(program, file);
        return Files.readAllBytes(file);
      } finally {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new CallException(ErrorKind.IO, "the package cannot be written: " + e, e);
    }
  }
}
