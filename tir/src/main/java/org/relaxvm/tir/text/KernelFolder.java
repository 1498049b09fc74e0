package org.relaxvm.tir.text;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;

/**
 * A folder that code generators write kernels to, for people to read. Kernels of one name get
 * numbers, so that nothing is written over in a process. Thread-safe.
 *
 * @param setting the system property that names the folder, for messages
 * @param path need not exist
 */
public record KernelFolder(String setting, Path path) {
  private static final ConcurrentHashMap<Path, AtomicInteger> TAKEN = new ConcurrentHashMap<>();

  /** The folder that a system property names, if it is set. */
  public static Optional<KernelFolder> of(String setting) {
    return of(setting, System::getProperty);
  }

  /** The folder that a setting names, if it is set; {@code settings} gives its value or null. */
  public static Optional<KernelFolder> of(
      String setting, UnaryOperator<@Nullable String> settings) {
    String folder = settings.apply(setting);
    return folder == null || folder.isEmpty()
        ? Optional.empty()
        : Optional.of(new KernelFolder(setting, Path.of(folder)));
  }

  /** One file of a kernel: how its name ends, such as {@code .tir}, and what is in it. */
  public record Text(String suffix, String content) {}

  /**
   * Writes files of a kernel, which differ in their suffixes only.
   *
   * @throws BackendException a {@code ValueError} when the folder cannot be written
   */
  public void write(String kernel, Text... texts) {
    String plain = kernel.replaceAll("[^A-Za-z0-9_.-]", "_");
    Path first = path.resolve(plain + texts[0].suffix());
    int number = TAKEN.computeIfAbsent(first, key -> new AtomicInteger()).getAndIncrement();
    String name = number == 0 ? plain : plain + "-" + number;
    try {
      Files.createDirectories(path);
      for (Text text : texts) {
        Files.writeString(path.resolve(name + text.suffix()), text.content());
      }
    } catch (IOException e) {
      throw new BackendException(
          ErrorKind.VALUE,
          "the kernel "
              + kernel
              + " cannot be written to the folder "
              + path
              + ": "
              + e
              + "; name a folder that can be written with -D"
              + setting
              + "=, or none",
          e);
    }
  }
}
