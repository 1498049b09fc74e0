package org.relaxvm.backendsupport.cache;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/**
 * What a cache has, for {@code doctor}: its text is the fact {@code kernel cache} of {@link
 * org.relaxvm.api.spi.StateReport}. Immutable.
 *
 * @param folder where its entries are; empty when it is off
 * @param origin what decided so, such as an environment variable
 * @param problem why nothing is kept; empty when all is well, or when the cache was disabled
 * @param entries files of kernels in the folder, of this and other processes
 * @param bytes size of these files
 * @param limitBytes most bytes that they may take; more than that goes at the next write
 * @param hits kernels that this cache gave since it was opened
 * @param misses kernels that it did not have since it was opened
 */
public record CacheState(
    Optional<Path> folder,
    String origin,
    String problem,
    int entries,
    long bytes,
    long limitBytes,
    long hits,
    long misses) {
  /** Whether kernels are kept. */
  public boolean on() {
    return folder.isPresent() && problem.isEmpty();
  }

  /** One line for people, with what to do to change it. */
  @Override
  public String toString() {
    String variable = CacheSettings.FOLDER_VARIABLE;
    if (folder.isEmpty()) {
      return problem.isEmpty()
          ? "off by " + origin + "; unset it to turn it on"
          : "off: " + problem;
    }
    String content =
        String.format(
            Locale.ROOT,
            "%s: %,d kernels, %.1f of %,d MiB",
            folder.get(),
            entries,
            bytes / (double) (1 << 20),
            limitBytes >> 20);
    return problem.isEmpty()
        ? content + " (" + origin + "; " + variable + "=off or a folder changes it)"
        : content + ", not written: " + problem + "; set " + variable + " to another folder";
  }
}
