package org.relaxvm.integrationtests.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A module in Relax IR that adds a vector to itself. */
final class TwiceModule {
  private TwiceModule() {}

  /** Writes its text into a file, which is returned. */
  static Path write(Path file) throws IOException {
    return Files.writeString(
        file,
        """
        @I.ir_module
        class Module:
          @R.function
          def main(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
            y = R.add(x, x)
            return y
        """);
  }
}
