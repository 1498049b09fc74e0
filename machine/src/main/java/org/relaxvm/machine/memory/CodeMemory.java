package org.relaxvm.machine.memory;

import java.util.ArrayList;
import java.util.List;

/**
 * Executable memory of one owner. Code of several functions shares a region; a region is unmapped
 * with the last code in it, all regions with {@link #close}. No address is writable and executable:
 * Linux maps a memory file twice, other systems write pages before these become executable. Regions
 * lie between inaccessible pages.
 *
 * <p>Thread-safe.
 */
public final class CodeMemory implements AutoCloseable {
  /** Code begins at multiples of so many bytes: a line of the cache, which constants need. */
  public static final int ALIGNMENT = 64;

  private static final long REGION_BYTES = 1 << 20;

  private final List<CodeRange> regions = new ArrayList<>();
  private final boolean isWindows = System.getProperty("os.name", "").startsWith("Windows");
  private final long pageSize = isWindows ? 65_536 : CLibrary.pageSize();
  private boolean hasTwoViews = !isWindows && !CLibrary.isMac();
  private boolean isClosed;

  /** Empty memory; pages are mapped when code is loaded. */
  public CodeMemory() {}

  /**
   * Copies code into executable memory.
   *
   * @param code position-independent; its first byte will be at a multiple of {@link #ALIGNMENT}
   * @return the code, which stays until it or this memory is closed
   * @throws CodeMemoryException if the system refuses
   * @throws IllegalStateException if this memory is closed
   */
  public synchronized Code load(byte[] code) {
    if (isClosed) {
      throw new IllegalStateException("the memory for code is closed");
    }
    for (CodeRange region : regions) {
      Code loaded = region.load(this, code);
      if (loaded != null) {
        return loaded;
      }
    }
    CodeRange region = new CodeRange(map(code.length));
    regions.add(region);
    Code loaded = region.load(this, code);
    if (loaded == null) {
      throw new IllegalStateException("no room in a region of " + region.byteSize() + " bytes");
    }
    return loaded;
  }

  private Region map(int bytes) {
    if (isWindows) {
      return WindowsRegion.of(pages(bytes), pageSize);
    }
    if (hasTwoViews) {
      try {
        return MappedRegion.ofTwoViews(pages(Math.max(bytes, REGION_BYTES)), pageSize);
      } catch (CodeMemoryException e) {
        // A system may forbid memory files to be executed, but not anonymous pages.
        hasTwoViews = false;
      }
    }
    return MappedRegion.ofOneView(pages(bytes), pageSize);
  }

  private long pages(long bytes) {
    return (Math.max(bytes, 1) + pageSize - 1) / pageSize * pageSize;
  }

  /** Frees the room of code. */
  synchronized void release(CodeRange region, long offset, long bytes) {
    if (!isClosed && region.release(offset, bytes)) {
      regions.remove(region);
      region.unmap();
    }
  }

  /** Bytes of executable pages that are mapped. */
  public synchronized long mappedBytes() {
    return regions.stream().mapToLong(CodeRange::byteSize).sum();
  }

  /** Unmaps all code, also code that was not closed. No call of such code may be running. */
  @Override
  public synchronized void close() {
    if (!isClosed) {
      isClosed = true;
      regions.forEach(CodeRange::unmap);
      regions.clear();
    }
  }
}
