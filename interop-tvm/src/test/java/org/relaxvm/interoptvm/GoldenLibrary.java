package org.relaxvm.interoptvm;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/** The container in a golden library, found by its look and not by the symbol table. */
public final class GoldenLibrary {
  private static final Path FOLDER = Path.of("../../shared/golden");
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final byte[] ROOT_KIND = "relax.VMExecutable".getBytes(US_ASCII);
  private static final int MOST_MODULES = 16;

  private GoldenLibrary() {}

  /** A case's folder; without it the test is skipped, and says so. */
  public static Path require(String name) {
    Path folder = FOLDER.resolve(name);
    if (!Files.isDirectory(folder)) {
      System.out.println("skipped: no golden artefacts at " + folder.toAbsolutePath().normalize());
    }
    Assumptions.assumeTrue(Files.isDirectory(folder), "no golden artefacts at " + folder);
    return folder;
  }

  /** The container of a case and all that follows it in the file. */
  public static MemorySegment container(String name) throws IOException {
    MemorySegment file =
        MemorySegment.ofArray(Files.readAllBytes(require(name).resolve("model.so")));
    for (long at = Long.BYTES; at < file.byteSize() - ROOT_KIND.length; at++) {
      boolean kind =
          file.asSlice(at, ROOT_KIND.length).mismatch(MemorySegment.ofArray(ROOT_KIND)) < 0;
      if (kind && file.get(LONG, at - Long.BYTES) == ROOT_KIND.length) {
        long start = startBefore(file, at - Long.BYTES);
        if (start >= 0) {
          return file.asSlice(start);
        }
      }
    }
    throw new AssertionError("no container in " + name);
  }

  /** Steps back over the children and their ends, whose numbers must fit. */
  private static long startBefore(MemorySegment file, long modules) {
    for (int count = 1; count <= MOST_MODULES; count++) {
      for (int children = 0; children <= MOST_MODULES; children++) {
        long childrenAt = modules - Long.BYTES * (children + 1L);
        long endsAt = childrenAt - Long.BYTES * (count + 2L);
        long start = endsAt - Long.BYTES;
        if (start >= 0
            && file.get(LONG, childrenAt) == children
            && file.get(LONG, endsAt) == count + 1
            && file.get(LONG, endsAt + Long.BYTES) == 0
            && file.get(LONG, childrenAt - Long.BYTES) == children
            && file.get(LONG, start) > 0
            && file.get(LONG, start) <= file.byteSize() - endsAt) {
          return start;
        }
      }
    }
    return -1;
  }
}
