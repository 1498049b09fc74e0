package org.relaxvm.interoptvm;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.interoptvm.library.LibraryBin;
import org.relaxvm.interoptvm.load.FileIdentity;
import org.relaxvm.interoptvm.object.ObjectFile;
import org.relaxvm.testsupport.Effort;
import org.relaxvm.vmcore.program.HostCode;
import org.relaxvm.vmcore.program.LoadOptions;
import org.relaxvm.vmcore.program.Program;

/**
 * Golden libraries with damage among the container, its modules and the executable: read, never
 * loaded. They end in our errors, in bounded time and memory.
 */
@Tag("effort")
class ContainerFuzzTest {
  private static final int CASES = Effort.chosen().pick(2_500, 7_000, 170_000);
  private static final long SEED = Long.getLong("relaxvm.seed", System.nanoTime());
  private static final long MOST_NANOS = 5_000_000_000L;
  private static final long MOST_BYTES = 64 << 20;

  /** Container header, names, function table: what is not data of constants. */
  private static final int HOT_BYTES = 4096;

  private static final long[] WORDS = {
    -1, 0, 1, 2, 3, 8, 1L << 20, 1L << 31, 0xFFFF_FFFFL, 1L << 40, Long.MAX_VALUE, Long.MIN_VALUE
  };

  private static Program read(byte[] bytes) {
    Path path = Path.of("damaged.so");
    return ExportedLibrary.read(
            path, FileIdentity.of(path), MemorySegment.ofArray(bytes), LoadOptions.DEFAULT)
        .program(RootModules.of(List.of()));
  }

  /** Whether it was accepted. */
  private static boolean reads(byte[] bytes) {
    try {
      for (HostCode code : read(bytes).hostCode()) {
        assertThat(code.facts()).isNotEmpty();
        assertThat(code.functionNames()).isNotNull();
      }
      return true;
    } catch (RelaxException e) {
      assertThat(e.getMessage()).isNotBlank();
      return false;
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"02-ones-cast-dynamic", "03-mlp-dynamic-batch", "04-mlp-compiled-mode"})
  void damageEndsInOurErrors(String name) throws IOException {
    byte[] whole = Files.readAllBytes(GoldenLibrary.require(name).resolve("model.so"));
    assertThat(reads(whole)).isTrue();
    ObjectFile object = ObjectFile.read(MemorySegment.ofArray(whole), name);
    int from = (int) object.symbol(LibraryBin.SYMBOL).orElseThrow().fileOffset();
    int size = (int) object.dataOf(LibraryBin.SYMBOL).orElseThrow().byteSize();
    System.out.println("ContainerFuzzTest: -Drelaxvm.seed=" + SEED);
    Random random = new Random(SEED);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    int refused = 0;
    long longest = 0;
    long most = 0;
    byte[] bytes = whole.clone();
    for (int i = 0; i < CASES; i++) {
      System.arraycopy(whole, from, bytes, from, size);
      damage(bytes, from, size, random);
      long start = System.nanoTime();
      long before = threads.getCurrentThreadAllocatedBytes();
      try {
        refused += reads(bytes) ? 0 : 1;
      } catch (RuntimeException | Error e) {
        throw new AssertionError("case " + i + " of -Drelaxvm.seed=" + SEED, e);
      }
      most = Math.max(most, threads.getCurrentThreadAllocatedBytes() - before);
      longest = Math.max(longest, System.nanoTime() - start);
    }
    System.out.printf(
        "%s: %d of %d refused, at most %.1f ms and %.1f MB%n",
        name, refused, CASES, longest / 1e6, most / 1e6);
    assertThat(refused).isBetween(CASES / 4, CASES - 1);
    assertThat(longest).isLessThan(MOST_NANOS);
    assertThat(most).isLessThan(MOST_BYTES);
  }

  private static void damage(byte[] bytes, int from, int size, Random random) {
    ByteBuffer words = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
      int range = size - 8;
      int at =
          switch (random.nextInt(4)) {
            case 0 -> random.nextInt(128);
            case 1 -> random.nextInt(range);
            case 2 -> range - 1 - random.nextInt(Math.min(range, HOT_BYTES));
            default -> random.nextInt(Math.min(range, HOT_BYTES));
          };
      switch (random.nextInt(4)) {
        case 0 -> bytes[from + at] ^= (byte) (1 << random.nextInt(8));
        case 1 -> bytes[from + at] = (byte) random.nextInt();
        case 2 -> words.putLong(from + at, WORDS[random.nextInt(WORDS.length)]);
        default -> {
          int source = random.nextInt(range);
          int length = Math.min(1 + random.nextInt(32), size - Math.max(at, source));
          System.arraycopy(bytes, from + source, bytes, from + at, length);
        }
      }
    }
  }
}
