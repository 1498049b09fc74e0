package org.relaxvm.api.host;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.DeviceOutOfMemoryException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.DeviceMemory;
import org.relaxvm.api.spi.DeviceProperties;
import org.relaxvm.api.spi.HostMemory;
import org.relaxvm.api.spi.Stream;
import org.relaxvm.api.system.LargeBlocks;

/**
 * Host memory as a device. Tensors made from Java data, read from files or returned to Java live
 * here and need no backend. A CPU backend extends this class with its kernels, so that both are one
 * memory.
 *
 * <p>Each block is a native segment with a lifetime of its own, zeroed when allocated; using a
 * block that was freed raises an exception and never crashes the JVM. On Linux, blocks of 4 MiB and
 * more are on huge pages where the kernel has them.
 *
 * <p>Thread-safe and without state.
 *
 * <p>Rationale: docs/rationale/api.md, "Why is `HostDevice` part of `api`?"
 */
public class HostDevice extends Device {
  /** Host memory without kernels. */
  public static final HostDevice INSTANCE = new HostDevice();

  /** Alignment of every block, in bytes: a cache line and the widest vector register. */
  public static final long ALIGNMENT = 64;

  /** Creates a host device, named {@code cpu:0}. */
  protected HostDevice() {
    super(DeviceId.CPU);
  }

  @Override
  public final boolean isHost() {
    return true;
  }

  @Override
  public DeviceProperties properties() {
    return new DeviceProperties("host memory", 0, ALIGNMENT, Long.MAX_VALUE, Map.of());
  }

  @Override
  public final Stream openStream() {
    return new HostStream(this);
  }

  @Override
  protected final DeviceMemory doAllocate(long byteSize, long alignment, String scope) {
    if (!scope.isEmpty() && !scope.equals("global")) {
      throw new BackendException(
          ErrorKind.VALUE, "host memory has no scope '" + scope + "', only 'global'");
    }
    Arena arena = Arena.ofShared();
    boolean done = false;
    try {
      MemorySegment block = allocateBlock(arena, byteSize, Math.max(alignment, ALIGNMENT));
      HostMemory memory = new HostMemory(block, arena);
      done = true;
      return memory;
    } finally {
      if (!done) {
        arena.close();
      }
    }
  }

  /**
   * As {@link #allocateNative}, for an arena that its owner closes: large blocks are on huge pages.
   */
  static MemorySegment allocateBlock(Arena arena, long byteSize, long alignment) {
    MemorySegment large = LargeBlocks.ofProcess().allocate(arena, byteSize, alignment);
    return large != null ? large : allocateNative(arena, byteSize, alignment);
  }

  /**
   * Zeroed native memory that lives as long as an arena.
   *
   * @param alignment in bytes, a power of two
   * @throws DeviceOutOfMemoryException when the host or the JVM's limit refuses
   */
  public static MemorySegment allocateNative(Arena arena, long byteSize, long alignment) {
    // Sizes near 2^63 overflow when they are rounded up; no host has that much.
    String reason = "more than any address space";
    OutOfMemoryError cause = null;
    if (byteSize <= Long.MAX_VALUE - 2 * alignment) {
      try {
        return arena.allocate(byteSize, alignment);
      } catch (OutOfMemoryError e) {
        reason = String.valueOf(e.getMessage());
        cause = e;
      }
    }
    throw new DeviceOutOfMemoryException(
        byteSize,
        "the host refused "
            + byteSize
            + " bytes of native memory: "
            + reason
            + "; use smaller tensors, close those that are not needed, or raise the JVM's limit"
            + " with -XX:MaxDirectMemorySize",
        cause);
  }

  @Override
  protected final void doFree(DeviceMemory memory) {
    if (memory instanceof HostMemory host && host.arena() != null) {
      host.arena().close();
    }
  }

  /** The segment of a block of any host device. */
  public static MemorySegment segmentOf(DeviceMemory memory) {
    if (memory instanceof HostMemory host) {
      return host.segment();
    }
    throw new BackendException(
        ErrorKind.TYPE,
        "expected host memory, but got " + memory.getClass().getName() + " of a device");
  }

  @Override
  protected final void doCopyIn(
      MemorySegment source, DeviceMemory target, long offset, Stream stream) {
    MemorySegment.copy(source, 0, segmentOf(target), offset, source.byteSize());
  }

  @Override
  protected final void doCopyOut(
      DeviceMemory source, long offset, MemorySegment target, Stream stream) {
    MemorySegment.copy(segmentOf(source), offset, target, 0, target.byteSize());
  }

  @Override
  protected final void doCopyWithin(
      DeviceMemory source,
      long sourceOffset,
      DeviceMemory target,
      long targetOffset,
      long byteSize,
      Stream stream) {
    MemorySegment.copy(segmentOf(source), sourceOffset, segmentOf(target), targetOffset, byteSize);
  }

  @Override
  public void close() {}
}
