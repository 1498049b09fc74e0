package org.relaxvm.interoptvm.object;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import org.relaxvm.interoptvm.CLibrary;

/** Small libraries made with this machine's C compiler. */
final class CompiledLibrary {
  private static final String SOURCE =
      """
      #include <stddef.h>
      extern int needed_function(int);
      extern int needed_number;
      extern int optional_function(int) __attribute__((weak));
      const unsigned char blob[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
      void *context;
      int filled[3] = {10, 20, 30};
      int partly[4000] __attribute__((aligned(64)));
      static int own(int x) { return x + 1; }
      __attribute__((visibility("hidden"))) int hidden_function(int x) { return x; }
      __thread int per_thread = 5;
      int shown_function(int x) {
        return own(needed_function(x)) + needed_number + (optional_function ? 1 : 0) + filled[0];
      }
      __attribute__((weak)) double weak_function(double x) { return x * x; }
      """;

  private CompiledLibrary() {}

  /** Compiles it; without a compiler the test is skipped, and says so. */
  static byte[] make(Path folder, String... flags) throws IOException {
    return Files.readAllBytes(CLibrary.compileText(folder, SOURCE, "library.so", flags));
  }

  static ObjectFile read(byte[] library) {
    return ObjectFile.read(MemorySegment.ofArray(library), "library.so");
  }
}
