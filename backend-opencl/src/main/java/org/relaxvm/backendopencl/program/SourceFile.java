package org.relaxvm.backendopencl.program;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Keeps source code that a compiler refused, for people to look at. */
final class SourceFile {
  /** System property: the folder; without it that for temporary files. */
  static final String SETTING = "relaxvm.opencl.failedSources";

  private SourceFile() {}

  /** Writes a file of its own; the words that say where it is, or why there is none. */
  static String write(String source) {
    try {
      String setting = System.getProperty(SETTING, "");
      Path folder = Path.of(setting.isEmpty() ? System.getProperty("java.io.tmpdir") : setting);
      Files.createDirectories(folder);
      Path file = Files.createTempFile(folder, "relaxvm-", ".cl");
      Files.writeString(file, source);
      return file.toString();
    } catch (IOException e) {
      return "not written (" + e + "); name a folder with -D" + SETTING + "=";
    }
  }
}
