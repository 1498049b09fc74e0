package org.relaxvm.backendsupport.gpu.module;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.relaxvm.api.spi.BackendOptions;

/**
 * Says what a compiler has against source code, and keeps that for people to look at. Thread-safe.
 *
 * @param setting system property: the folder for sources; without it that for temporary files
 * @param suffix what files end with, such as {@code .cl}
 */
public record FailedSourceDump(String setting, String suffix) {
  private static final int MOST_LOG_CHARS = 8000;

  /**
   * Writes the source into a file of its own.
   *
   * @param log what the compiler said
   * @return lines for a message: the log, and where the source is or why there is none
   */
  public String describe(String log, String source) {
    return describe(BackendOptions.none(), log, source);
  }

  /** As {@link #describe(String, String)}; an option may name the folder. */
  public String describe(BackendOptions options, String log, String source) {
    String text = log.length() > MOST_LOG_CHARS ? log.substring(0, MOST_LOG_CHARS) + " ..." : log;
    return "\n  compiler: "
        + (text.isEmpty() ? "no message" : text.strip().replace("\n", "\n    "))
        + "\n  source: "
        + write(options, source);
  }

  private String write(BackendOptions options, String source) {
    try {
      String named = options.property(setting);
      Path folder =
          Path.of(named == null || named.isEmpty() ? System.getProperty("java.io.tmpdir") : named);
      Files.createDirectories(folder);
      Path file = Files.createTempFile(folder, "relaxvm-", suffix);
      Files.writeString(file, source);
      return file.toString();
    } catch (IOException e) {
      return "not written (" + e + "); name a folder with -D" + setting + "=";
    }
  }
}
