package org.relaxvm.backendcuda.process;

import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import org.junit.jupiter.api.Assumptions;

/** Tells machines with a driver of CUDA from others. */
final class NoDriver {
  private NoDriver() {}

  /** Skips a test that needs a machine without a driver, and says so. */
  @SuppressWarnings("restricted")
  static void assume() {
    try (Arena arena = Arena.ofConfined()) {
      SymbolLookup.libraryLookup("libcuda.so.1", arena);
    } catch (IllegalArgumentException _) {
      return;
    }
    String reason = "this machine has a driver of CUDA, which would be found";
    System.out.println("skipped: " + reason);
    Assumptions.abort(reason);
  }
}
