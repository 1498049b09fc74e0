package org.relaxvm.examples.digits;

import java.nio.file.Path;
import java.util.Map;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.io.Npz;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.program.RvmWriter;

/**
 * Makes programs of {@code weights.npz} of the working folder: {@code digits.rvm} and {@code
 * digits-library.rvm}.
 */
public final class BuildProgram {
  private BuildProgram() {}

  /** Writes the packages; equal weights give equal bytes. */
  public static void main(String[] arguments) {
    Map<String, Tensor> weights = Npz.read(Path.of("weights.npz"));
    write(DigitsProgram.build(weights), Path.of("digits.rvm"));
    write(LibraryProgram.build(weights), Path.of("digits-library.rvm"));
  }

  private static void write(Program program, Path file) {
    RvmWriter.write(program, file);
    System.out.println("wrote " + file.toAbsolutePath());
  }
}
