package org.relaxvm.examples.encoder;

import java.nio.file.Path;
import java.util.SplittableRandom;
import org.relaxvm.compiler.CompileOptions;
import org.relaxvm.compiler.Compiler;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.program.RvmWriter;

/** Compiles the model into {@code encoder.rvm} in the working folder. */
public final class BuildProgram {
  private static final long SEED = 1;

  private BuildProgram() {}

  /** Writes the package; each run writes the same bytes. */
  public static void main(String[] arguments) {
    Path file = Path.of("encoder.rvm");
    CompileOptions options =
        CompileOptions.DEFAULT.withMetadata(
            metadata ->
                metadata
                    .name("encoder")
                    .description("A transformer encoder of any batch and length, not trained."));
    Program program = Compiler.compile(EncoderModel.module(new SplittableRandom(SEED)), options);
    RvmWriter.write(program, file);
    System.out.println("wrote " + file.toAbsolutePath());
  }
}
