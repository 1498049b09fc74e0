package org.relaxvm.backendsupport.staging;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;

/**
 * How host memory of any kind gets to a driver that takes addresses, and back. Memory that cannot
 * be used is refused before the driver sees it; memory of the Java heap goes through native memory;
 * what is larger than a driver takes at once goes in chunks.
 *
 * <p>Copies from the host return when the source may be reused. A small copy to a queue that has
 * work to do is put into memory of its own, and the queue goes on; all others wait.
 *
 * <p>Thread-safe; used with one queue at a time.
 *
 * @param device for messages
 * @param chunkBytes the most that one copy of native memory has, positive
 * @param bounceBytes the size of the native memory that heap memory goes through, positive
 * @param mostStagedBytes copies of more bytes wait for the queue
 */
public record HostCopies(DeviceId device, long chunkBytes, long bounceBytes, long mostStagedBytes) {

  /** Copies of up to 1 MiB are staged, heap memory goes through 4 MiB, chunks have 1 GiB. */
  public static HostCopies of(DeviceId device) {
    return new HostCopies(device, 1L << 30, 4L << 20, 1L << 20);
  }

  /** Copies bytes from the host into a block, in the order of a queue. */
  public interface Incoming {
    /** Whether the queue has nothing to do, so that waiting for it costs nothing. */
    boolean isIdle();

    /**
     * Copies, and returns when the bytes were read.
     *
     * @param at first byte, from where the whole copy begins
     * @param chunk native memory of the host
     */
    void copy(long at, MemorySegment chunk);

    /** Copies bytes that are kept elsewhere until the queue comes to them; does not wait. */
    void copyLater(long at, MemorySegment chunk);
  }

  /** Copies bytes of a block to the host, after what a queue has to do. */
  @FunctionalInterface
  public interface Outgoing {
    /**
     * Copies, and returns when the chunk is filled.
     *
     * @param at first byte, from where the whole copy begins
     * @param chunk native memory of the host
     */
    void copy(long at, MemorySegment chunk);
  }

  /**
   * Copies from the host.
   *
   * @param source may be reused when this returns
   * @throws BackendException a {@code ValueError} when the memory cannot be read by this thread
   */
  public void in(MemorySegment source, Incoming queue) {
    requireUsable(source, false);
    boolean later = source.byteSize() <= mostStagedBytes && !queue.isIdle();
    Outgoing copy = later ? queue::copyLater : queue::copy;
    if (source.isNative()) {
      forChunks(source, copy);
      return;
    }
    bounced(
        source,
        (at, part) -> {
          MemorySegment.copy(source, at, part, 0, part.byteSize());
          copy.copy(at, part);
        });
  }

  /**
   * Copies to the host.
   *
   * @param target is filled when this returns
   * @throws BackendException a {@code ValueError} when the memory cannot be written by this thread
   */
  public void out(MemorySegment target, Outgoing queue) {
    requireUsable(target, true);
    if (target.isNative()) {
      forChunks(target, queue);
      return;
    }
    bounced(
        target,
        (at, part) -> {
          queue.copy(at, part);
          MemorySegment.copy(part, 0, target, at, part.byteSize());
        });
  }

  private void forChunks(MemorySegment host, Outgoing copy) {
    long size = host.byteSize();
    for (long at = 0; at < size; at += chunkBytes) {
      copy.copy(at, host.asSlice(at, Math.min(chunkBytes, size - at)));
    }
  }

  private void bounced(MemorySegment host, Outgoing copy) {
    long size = host.byteSize();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment bounce = arena.allocate(Math.min(bounceBytes, size));
      for (long at = 0; at < size; at += bounce.byteSize()) {
        copy.copy(at, bounce.asSlice(0, Math.min(bounce.byteSize(), size - at)));
      }
    }
  }

  /** What a driver is given is an address, which it does not check. */
  private void requireUsable(MemorySegment host, boolean written) {
    String fault = null;
    if (!host.scope().isAlive()) {
      fault = "was closed";
    } else if (!host.isAccessibleBy(Thread.currentThread())) {
      fault = "belongs to another thread";
    } else if (written && host.isReadOnly()) {
      fault = "is read-only";
    }
    if (fault != null) {
      throw new BackendException(
          ErrorKind.VALUE,
          "a copy of "
              + host.byteSize()
              + " bytes between "
              + device
              + " and the host needs host memory that "
              + (written ? "can be written, " : "can be read, ")
              + "but it "
              + fault);
    }
  }
}
