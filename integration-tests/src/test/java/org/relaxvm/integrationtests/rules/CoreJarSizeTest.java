package org.relaxvm.integrationtests.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.module.ModuleReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.relaxvm.integrationtests.OurModules;

/**
 * The jars that every program needs stay small enough to be embedded without a thought, as in a
 * service's image or a function of a cloud: the core holds no kernels, schedules or native code. A
 * jump in size means that something was put in the core that belongs into a module of its own.
 */
class CoreJarSizeTest {
  private static final List<String> CORE =
      List.of("org.relaxvm.api", "org.relaxvm.vmcore", "org.relaxvm.builtins");

  /** A little more than the 1.26 MB that the three took when the bound was set. */
  private static final long MOST_BYTES = 1_300_000;

  @Test
  void theCoreIsSmall() throws IOException {
    Map<String, Long> sizes = new TreeMap<>();
    for (ModuleReference module : OurModules.all()) {
      if (CORE.contains(module.descriptor().name())) {
        sizes.put(
            module.descriptor().name(), packedBytes(Path.of(module.location().orElseThrow())));
      }
    }
    assertThat(sizes).containsOnlyKeys(CORE);
    assertThat(sizes.values().stream().mapToLong(Long::longValue).sum())
        .as("bytes of %s", sizes)
        .isBetween(MOST_BYTES / 10, MOST_BYTES);
  }

  /** The size of a jar, or what a folder of classes takes in one. */
  private static long packedBytes(Path module) throws IOException {
    if (Files.isRegularFile(module)) {
      return Files.size(module);
    }
    CountingStream count = new CountingStream();
    try (ZipOutputStream zip = new ZipOutputStream(count);
        var walk = Files.walk(module)) {
      for (Path file : walk.filter(Files::isRegularFile).toList()) {
        zip.putNextEntry(new ZipEntry(module.relativize(file).toString()));
        Files.copy(file, zip);
        zip.closeEntry();
      }
    }
    return count.bytes;
  }

  private static final class CountingStream extends OutputStream {
    private long bytes;

    @Override
    public void write(int value) {
      bytes++;
    }

    @Override
    public void write(byte[] from, int offset, int length) {
      bytes += length;
    }
  }
}
