package org.relaxvm.interoptvm.object;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.relaxvm.interoptvm.shim.ElfShim;
import org.relaxvm.interoptvm.shim.RuntimeSymbols;

/** {@code -Drelaxvm.seed=} repeats a run. */
class DamagedElfTest {
  private static final int CASES = 20_000;

  @ParameterizedTest
  @EnumSource(names = {"X86_64", "AARCH64"})
  void damagedShimsEndInTypedErrors(Machine machine) {
    byte[] shim = ElfShim.image(machine, "libshim.so", RuntimeSymbols.ALL);
    Mutations.check(shim, 1024, CASES);
    Mutations.checkCuts(shim);
  }

  @Test
  void damagedLibrariesOfACompilerEndInTypedErrors(@TempDir Path folder) throws IOException {
    byte[] library = CompiledLibrary.make(folder, "-Wl,--hash-style=both");
    Mutations.check(library, 2048, CASES);
    Mutations.checkCuts(library);
  }
}
