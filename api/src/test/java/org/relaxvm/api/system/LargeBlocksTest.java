package org.relaxvm.api.system;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.relaxvm.api.host.DeferredMemory;
import org.relaxvm.api.host.HostDevice;
import org.relaxvm.api.parallel.WorkerPool;
import org.relaxvm.api.spi.DeviceMemory;

/** Which pages large blocks have, as the kernel tells. */
@Isolated("reads the memory map of the process")
class LargeBlocksTest {
  private static final long BYTES = 64L << 20;
  private static final long PAGE = 4096;

  private static void requireHugePages() {
    String pages = LargeBlocks.ofProcess().describe();
    boolean isHuge = pages.startsWith("huge pages of ");
    if (!isHuge) {
      System.out.println("skipped: " + pages);
    }
    assumeTrue(isHuge, pages);
  }

  private static MemorySegment allocate(long bytes, long alignment) {
    DeviceMemory memory = HostDevice.INSTANCE.allocate(bytes, alignment, "");
    return HostDevice.segmentOf(memory);
  }

  /** The lines about the mapping that contains an address. */
  private static List<String> mapping(long address) throws IOException {
    List<String> lines = new ArrayList<>();
    boolean isInside = false;
    for (String line : Files.readAllLines(Path.of("/proc/self/smaps"))) {
      if (line.matches("[0-9a-f]+-[0-9a-f]+ .*")) {
        String[] range = line.substring(0, line.indexOf(' ')).split("-");
        isInside =
            Long.compareUnsigned(Long.parseUnsignedLong(range[0], 16), address) <= 0
                && Long.compareUnsigned(address, Long.parseUnsignedLong(range[1], 16)) < 0;
      }
      if (isInside) {
        lines.add(line);
      }
    }
    return lines;
  }

  private static long kibibytes(List<String> mapping, String name) {
    String line =
        mapping.stream().filter(entry -> entry.startsWith(name + ":")).findFirst().orElseThrow();
    return Long.parseLong(line.replaceAll("[^0-9]", ""));
  }

  /** How many pages of a block are in memory. */
  private static int present(MemorySegment block) throws IOException {
    int present = 0;
    try (RandomAccessFile map = new RandomAccessFile("/proc/self/pagemap", "r")) {
      map.seek(block.address() / PAGE * Long.BYTES);
      byte[] entries = new byte[(int) (block.byteSize() / PAGE * Long.BYTES)];
      map.readFully(entries);
      for (int i = Long.BYTES - 1; i < entries.length; i += Long.BYTES) {
        // Bit 63 of an entry.
        present += entries[i] < 0 ? 1 : 0;
      }
    }
    return present;
  }

  private static boolean isZero(MemorySegment block) {
    long bits = 0;
    for (long i = 0; i < block.byteSize() / Long.BYTES; i++) {
      bits |= block.getAtIndex(JAVA_LONG, i);
    }
    return bits == 0;
  }

  @Test
  void blocksOfADeviceAreOnHugePages() throws IOException {
    requireHugePages();
    DeviceMemory memory = HostDevice.INSTANCE.allocate(BYTES, 256, "");
    MemorySegment block = HostDevice.segmentOf(memory);
    assertThat(block.byteSize()).isEqualTo(BYTES);
    assertThat(block.address() % (2 << 20)).isZero();
    block.fill((byte) 1);
    List<String> mapping = mapping(block.address());
    assertThat(mapping.getLast()).startsWith("VmFlags:").contains(" hg");
    assertThat(kibibytes(mapping, "AnonHugePages")).isGreaterThanOrEqualTo(2048);
    HostDevice.INSTANCE.free(memory);
  }

  @Test
  void pagesAreTakenByTheThreadsThatWriteThem() throws IOException {
    requireHugePages();
    DeviceMemory memory = HostDevice.INSTANCE.allocate(BYTES, 64, "");
    MemorySegment block = HostDevice.segmentOf(memory);
    assertThat(present(block)).isZero();
    try (WorkerPool workers = WorkerPool.ofThreads(2)) {
      workers.parallelFor(
          0,
          BYTES / PAGE,
          1,
          (from, to) -> block.asSlice(from * PAGE, (to - from) * PAGE).fill((byte) 7));
    }
    assertThat(present(block)).isEqualTo((int) (BYTES / PAGE));
    HostDevice.INSTANCE.free(memory);
  }

  @Test
  void blocksAreZeroAlsoWhereOthersWereFreed() {
    for (int round = 0; round < 3; round++) {
      for (long bytes : new long[] {LargeBlocks.MIN_BYTES, LargeBlocks.MIN_BYTES + 8, BYTES + 24}) {
        DeviceMemory memory = HostDevice.INSTANCE.allocate(bytes, 64, "");
        MemorySegment block = HostDevice.segmentOf(memory);
        assertThat(block.byteSize()).isEqualTo(bytes);
        assertThat(isZero(block)).isTrue();
        block.fill((byte) -1);
        HostDevice.INSTANCE.free(memory);
      }
    }
  }

  @Test
  void aFreedBlockIsUnmappedAndRaisesAnException() throws IOException {
    requireHugePages();
    DeviceMemory memory = HostDevice.INSTANCE.allocate(BYTES, 64, "");
    MemorySegment block = HostDevice.segmentOf(memory);
    block.fill((byte) 1);
    long address = block.address();
    assertThat(mapping(address)).isNotEmpty();
    HostDevice.INSTANCE.free(memory);
    assertThat(mapping(address)).isEmpty();
    assertThatThrownBy(() -> block.get(JAVA_BYTE, 0)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void memoryThatIsFilledAtItsFirstUseIsOnHugePages() throws IOException {
    requireHugePages();
    DeferredMemory memory = new DeferredMemory(BYTES, block -> block.fill((byte) 3));
    MemorySegment block = memory.segment();
    assertThat(block.get(JAVA_BYTE, BYTES - 1)).isEqualTo((byte) 3);
    assertThat(mapping(block.address()).getLast()).contains(" hg");
  }

  @Test
  void otherBlocksAreLeftToTheCLibrary() {
    try (Arena arena = Arena.ofConfined()) {
      LargeBlocks blocks = LargeBlocks.ofProcess();
      assertThat(blocks.allocate(arena, LargeBlocks.MIN_BYTES - 1, 64)).isNull();
      assertThat(blocks.allocate(arena, BYTES, 1L << 40)).isNull();
      assertThat(blocks.allocate(arena, Long.MAX_VALUE, 64)).isNull();
      assertThat(blocks.allocate(arena, 1L << 60, 64)).as("more than any machine has").isNull();
    }
    assertThat(allocate(BYTES, 1 << 22).address() % (1 << 22)).isZero();
  }

  @Test
  void whoHasNoHugePagesIsToldWhy(@TempDir Path kernel) throws IOException {
    assertThat(LargeBlocks.of("off", true, true, kernel).describe())
        .isEqualTo("ordinary pages: -Drelaxvm.cpu.hugePages=off");
    assertThat(LargeBlocks.of("auto", false, false, kernel).describe())
        .isEqualTo("ordinary pages: huge pages are used on Linux only");
    assertThat(LargeBlocks.of("auto", true, false, kernel).describe())
        .isEqualTo(
            "ordinary pages: the JVM was started without --enable-native-access=ALL-UNNAMED (on the"
                + " module path org.relaxvm.api)");
    assertThat(LargeBlocks.of("auto", true, true, kernel).describe())
        .isEqualTo("ordinary pages: the kernel has no huge pages");
    Files.writeString(kernel.resolve("hpage_pmd_size"), "2097152\n");
    Files.writeString(kernel.resolve("enabled"), "always madvise [never]\n");
    LargeBlocks never = LargeBlocks.of("auto", true, true, kernel);
    assertThat(never.describe())
        .isEqualTo(
            "ordinary pages: "
                + kernel.resolve("enabled")
                + " is never; madvise or always allow them");
    try (Arena arena = Arena.ofConfined()) {
      assertThat(never.allocate(arena, BYTES, 64)).isNull();
    }
    Files.writeString(kernel.resolve("enabled"), "always [madvise] never\n");
    assertThat(LargeBlocks.of("auto", true, true, kernel).describe())
        .isEqualTo("huge pages of 2048 KiB for blocks of 4 MiB and more");
  }
}
