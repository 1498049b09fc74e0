package org.relaxvm.api.spi;

import java.util.function.Consumer;
import org.relaxvm.api.Storage;

/**
 * Hands out {@link Storage} on one device. Two come with the API: {@link
 * org.relaxvm.api.memory.NaiveAllocator} asks the device each time, {@link
 * org.relaxvm.api.memory.PooledAllocator} keeps and reuses blocks.
 *
 * <p>{@link #allocate} checks its arguments and is final; an implementation provides {@code
 * doAllocate} and {@code doFree}.
 *
 * <p>Thread-safe.
 *
 * <p>Rationale: docs/rationale/api.md, "Why does an allocation name a stream?"
 */
public abstract class Allocator implements AutoCloseable {
  private final Device device;
  private final Consumer<Storage> freer = this::doFree;

  /** Creates an allocator over a device, which outlives it. */
  protected Allocator(Device device) {
    this.device = device;
  }

  /** The device whose memory is handed out. */
  public final Device device() {
    return device;
  }

  /**
   * Allocates; content is undefined.
   *
   * @param byteSize 0 is legal
   * @param alignment in bytes, a power of two
   * @param scope the memory scope: empty or {@code global} for ordinary memory
   * @param stream the stream whose work will use the block first
   * @return a storage with one owner, the caller. Its last release brings the block back here; it
   *     may then be reused by later work of the same stream at once, by other streams after the
   *     work submitted so far
   * @throws org.relaxvm.api.error.DeviceOutOfMemoryException when the device or the budget refuses,
   *     after idle blocks were released and it was tried again
   */
  public final Storage allocate(long byteSize, long alignment, String scope, Stream stream) {
    Device.checkAllocation(device.id(), byteSize, alignment);
    return doAllocate(byteSize, alignment, scope, stream);
  }

  /** The counters now. */
  public abstract AllocatorStats stats();

  /** Releases idle blocks to the device; blocks in use are untouched. */
  public abstract void trim();

  /** Implements {@link #allocate}; makes the storage with {@link #newStorage}. */
  protected abstract Storage doAllocate(long byteSize, long alignment, String scope, Stream stream);

  /** Takes a block back; called at the last release of a storage, from any thread. */
  protected abstract void doFree(Storage storage);

  /**
   * Makes a storage that comes back to {@link #doFree} at its last release.
   *
   * @param byteSize bytes that tensors may use
   * @param stream the stream whose work will use the block first
   */
  protected final Storage newStorage(
      DeviceMemory memory, long byteSize, String scope, Stream stream) {
    return new Storage(device, memory, byteSize, scope, freer, stream);
  }

  /**
   * Releases idle blocks and refuses further allocations. Blocks still in use are released at their
   * last release. Closing again does nothing.
   */
  @Override
  public abstract void close();
}
