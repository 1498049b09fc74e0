package org.relaxvm.backendcpu.codegen;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.text.TirText;

/** Writes what kernels become to files, where {@link #SETTING} names a folder. */
final class KernelDump {
  /** System property: the folder; nothing is written without it. */
  static final String SETTING = "relaxvm.cpu.dumpKernels";

  private static final ConcurrentHashMap<Path, AtomicInteger> TAKEN = new ConcurrentHashMap<>();

  private KernelDump() {}

  /** The folder that is asked for. */
  static Optional<Path> folder() {
    String folder = System.getProperty(SETTING, "");
    return folder.isEmpty() ? Optional.empty() : Optional.of(Path.of(folder));
  }

  /** Writes the kernel as it is scheduled, and the instructions of its class. */
  static void write(Path folder, PrimFunc function, byte[] bytes) {
    String name = function.name().replaceAll("[^A-Za-z0-9_.-]", "_");
    int number =
        TAKEN.computeIfAbsent(folder.resolve(name), key -> new AtomicInteger()).getAndIncrement();
    String file = number == 0 ? name : name + "-" + number;
    try {
      Files.createDirectories(folder);
      Files.writeString(folder.resolve(file + ".tir"), TirText.print(function));
      Files.writeString(folder.resolve(file + ".txt"), Listing.of(bytes));
    } catch (IOException | UncheckedIOException e) {
      throw new BackendException(
          ErrorKind.VALUE,
          "the kernel "
              + function.name()
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
