package org.relaxvm.api.system;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.events.Events;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Large blocks of host memory on huge pages, on Linux. Blocks are zeroed, and aligned to a huge
 * page. The kernel takes a page when it is first accessed, so that the threads that write a tensor
 * first share the work of zeroing it. Thread-safe.
 *
 * <p>Rationale: docs/rationale/api.md, "Why are large blocks of host memory mapped pages?"
 */
public final class LargeBlocks {
  /** The system property: {@code auto} or {@code off}. */
  public static final String SETTING = "relaxvm.cpu.hugePages";

  /** Smaller blocks come from the C library. */
  public static final long MIN_BYTES = 4L << 20;

  private static final Path KERNEL = Path.of("/sys/kernel/mm/transparent_hugepage");

  /** Made when it is first asked for. */
  private static final class Holder {
    static final LargeBlocks INSTANCE =
        of(
            System.getProperty(SETTING, "auto"),
            LinuxCalls.isLinux(),
            LinuxCalls.areAllowed(),
            KERNEL);
  }

  private final Logger log = LoggerFactory.getLogger(LargeBlocks.class);
  private final long hugePageBytes;
  private final String description;

  /**
   * How large blocks are allocated.
   *
   * @param hugePageBytes 0 if they are like all others
   */
  private LargeBlocks(long hugePageBytes, String description) {
    this.hugePageBytes = hugePageBytes;
    this.description = description;
  }

  /** The large blocks of this process. */
  public static LargeBlocks ofProcess() {
    return Holder.INSTANCE;
  }

  static LargeBlocks of(String setting, boolean isLinux, boolean isAllowed, Path kernel) {
    if (setting.equals("off")) {
      return none("-D" + SETTING + "=off");
    }
    if (!isLinux) {
      return none("huge pages are used on Linux only");
    }
    if (!isAllowed) {
      return none(
          "the JVM was started without --enable-native-access=ALL-UNNAMED (on the module path"
              + " org.relaxvm.api)");
    }
    String enabled = read(kernel.resolve("enabled"));
    String bytes = read(kernel.resolve("hpage_pmd_size"));
    if (!bytes.matches("[1-9][0-9]{0,14}")) {
      return none("the kernel has no huge pages");
    }
    if (enabled.contains("[never]")) {
      return none(kernel.resolve("enabled") + " is never; madvise or always allow them");
    }
    long hugePageBytes = Long.parseLong(bytes);
    return new LargeBlocks(
        hugePageBytes,
        "huge pages of %d KiB for blocks of %d MiB and more"
            .formatted(hugePageBytes >> 10, Math.max(MIN_BYTES, hugePageBytes) >> 20));
  }

  private static LargeBlocks none(String reason) {
    return new LargeBlocks(0, "ordinary pages: " + reason);
  }

  private static String read(Path file) {
    try {
      return Files.isReadable(file) ? Files.readString(file).strip() : "";
    } catch (IOException e) {
      // Without these files, memory is as it is on other systems.
      return "";
    }
  }

  /** Which pages blocks have, and why, for people. */
  public String describe() {
    return description;
  }

  /**
   * A zeroed block that is unmapped when an arena closes.
   *
   * @param arena to be closed by its owner: the limit of the JVM for memory that the garbage
   *     collector frees does not count the block
   * @param alignment in bytes, a power of two
   * @return null if the block is too small, has a larger alignment than a huge page, or there are
   *     no such blocks
   */
  public @Nullable MemorySegment allocate(Arena arena, long byteSize, long alignment) {
    boolean isLarge =
        hugePageBytes > 0
            && byteSize >= Math.max(MIN_BYTES, hugePageBytes)
            && byteSize <= Long.MAX_VALUE - 2 * hugePageBytes
            && alignment <= hugePageBytes;
    return isLarge ? map(arena, byteSize) : null;
  }

  @SuppressWarnings("restricted") // memory that was mapped with this size
  private @Nullable MemorySegment map(Arena arena, long byteSize) {
    // The end of a mapping is rounded up to a page by the kernel.
    long mapped = LinuxCalls.map(byteSize + hugePageBytes);
    if (mapped < 0) {
      // The C library is asked next; its failure is the one that is reported.
      log.debug("mmap of {} bytes failed with errno {}", byteSize, -mapped);
      return null;
    }
    long address = (mapped + hugePageBytes - 1) / hugePageBytes * hugePageBytes;
    boolean isOwned = false;
    try {
      MemorySegment block =
          MemorySegment.ofAddress(address)
              .reinterpret(
                  byteSize, arena, _ -> LinuxCalls.unmap(mapped, byteSize + hugePageBytes));
      isOwned = true;
      advise(address, byteSize);
      return block;
    } finally {
      if (!isOwned) {
        int ignored = LinuxCalls.unmap(mapped, byteSize + hugePageBytes);
      }
    }
  }

  private void advise(long address, long byteSize) {
    int error = LinuxCalls.adviseHugePages(address, byteSize);
    if (error != 0) {
      log.debug("madvise of {} bytes for huge pages failed with errno {}", byteSize, error);
      Events.fallback("huge pages", "ordinary pages", "madvise failed with errno " + error);
    }
  }
}
