package org.relaxvm.examples.digits;

import java.nio.file.Path;
import org.relaxvm.api.io.Npz;
import org.relaxvm.vmcore.program.RvmWriter;

/** Packs {@code weights.npz} of the working folder into {@code digits.rvm}. */
public final class BuildProgram {
  private BuildProgram() {}

  /** Writes the package; equal weights give equal bytes. */
  public static void main(String[] arguments) {
    Path file = Path.of("digits.rvm");
    RvmWriter.write(DigitsProgram.build(Npz.read(Path.of("weights.npz"))), file);
    System.out.println("wrote " + file.toAbsolutePath());
  }
}
