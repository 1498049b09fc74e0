package org.relaxvm.backendsupport.gpu.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.backendsupport.gpu.ScheduledKernel;
import org.relaxvm.tir.text.TirText;

/** Writes what kernels become to files, where {@link #SETTING} names a folder. */
final class SourceDump {
  /** System property: the folder; nothing is written without it. */
  static final String SETTING = "relaxvm.gpu.dumpKernels";

  private static final ConcurrentHashMap<Path, AtomicInteger> TAKEN = new ConcurrentHashMap<>();

  private SourceDump() {}

  /** The folder that is asked for. */
  static Optional<Path> folder() {
    String folder = System.getProperty(SETTING, "");
    return folder.isEmpty() ? Optional.empty() : Optional.of(Path.of(folder));
  }

  /** Writes the launches of a kernel as loops, if a folder is asked for. */
  static void write(ScheduledKernel kernel) {
    folder()
        .ifPresent(
            to -> write(to, kernel.kernel().name(), ".gpu.tir", TirText.print(kernel.asKernel())));
  }

  /** Writes a program, if a folder is asked for. */
  static void write(String firstKernel, String suffix, String source) {
    folder().ifPresent(to -> write(to, firstKernel, suffix, source));
  }

  private static void write(Path folder, String name, String suffix, String text) {
    String plain = name.replaceAll("[^A-Za-z0-9_.-]", "_");
    int number =
        TAKEN
            .computeIfAbsent(folder.resolve(plain + suffix), key -> new AtomicInteger())
            .getAndIncrement();
    try {
      Files.createDirectories(folder);
      Files.writeString(folder.resolve(plain + (number == 0 ? "" : "-" + number) + suffix), text);
    } catch (IOException e) {
      throw new BackendException(
          ErrorKind.VALUE,
          "the kernel "
              + name
              + " cannot be written to the folder "
              + folder
              + ": "
              + e
              + "; name a folder that can be written with -D"
              + SETTING
              + "=, or none",
          e);
    }
  }
}
