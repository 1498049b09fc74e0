package org.relaxvm.interoptvm.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.interoptvm.ChildJvm;

/** One class loader after the other runs libraries, and not both at once. */
@Timeout(60)
class TwoLoadersTest {
  @TempDir Path folder;

  @Test
  void theSecondOneIsToldWhileTheFirstHasLibrariesAndWorksThen() {
    Path file = Imitation.compile(folder, "loaders.so");
    Path kept = Imitation.compile(folder, "kept.so", "-Wl,-z,nodelete");
    assertThat(ChildJvm.run(TwoLoaders.class, List.of(), file, kept))
        .isEqualTo(
            """
            first: open
            second: another class loader of this process runs libraries of Apache TVM (1 open)
              what to do: put relaxvm-interop-tvm where both find it, such as the class path of \
            the server, or close the virtual machines of the other one first
            first: call 42
            first: closed
            second: open
            second: call 42
            second: closed
            first: open
            first: call 42
            first: closed
            second: cannot load %s: another class loader or another runtime of this process has \
            loaded it, and its variables are in use
              what to do: load a copy of the file
            second: open
            second: call 42
            """
                .formatted(kept.toAbsolutePath()));
  }
}
