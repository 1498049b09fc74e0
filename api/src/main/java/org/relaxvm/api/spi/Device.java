package org.relaxvm.api.spi;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.DeviceOutOfMemoryException;
import org.relaxvm.api.error.ErrorKind;

/**
 * One device: it stores tensors and runs kernels.
 *
 * <p>The public methods check arguments and are final; a backend implements the {@code do...}
 * methods, which may rely on checked arguments. Everything that not every device can do is a small
 * interface beside this class, and a device implements those it supports: {@link ModuleLoader}
 * (takes kernels), {@link PeerCopy} (copies to another device without the host), {@link
 * SharedConstants} (keeps constants for all virtual machines). The kernels that a device brings
 * itself are its {@link #library()}.
 *
 * <p><b>Memory.</b> A block is a {@link DeviceMemory} that only this device understands; locations
 * are a block plus a byte offset. A block of size 0 is legal everywhere. Programs do not call
 * {@link #allocate} but an {@link Allocator} over it.
 *
 * <p><b>Order.</b> Copies and kernels take a stream and may return before they are done. Host
 * memory that was given to {@link #copyIn} may be reused when the method returns: a backend that
 * copies later stages it first. Host memory given to {@link #copyOut} is filled when the stream is
 * synchronised.
 *
 * <p><b>Threads.</b> All methods may be called from many threads at once, each with its own stream.
 *
 * <p><b>Errors.</b> {@link DeviceOutOfMemoryException} leaves the device usable. Every other
 * failure is a {@link BackendException}; after a lost device each call fails with one that says so,
 * and {@link #close()} still gives everything back.
 */
public abstract class Device implements AutoCloseable {
  private final DeviceId id;

  /** Creates the device with its name. */
  protected Device(DeviceId id) {
    this.id = Objects.requireNonNull(id, "id");
  }

  /** The name of this device, such as {@code cuda:0}. */
  public final DeviceId id() {
    return id;
  }

  /** Whether this device's memory is host memory, so that its blocks are {@link HostMemory}. */
  public boolean isHost() {
    return false;
  }

  /** What the device says of itself. Does not change. */
  public abstract DeviceProperties properties();

  /**
   * The kernels that this device brings: names {@code relaxvm.<op>} of the {@linkplain
   * org.relaxvm.api.kernels.KernelLibrary kernel library}, all of them or some. They are called
   * with a context, {@link org.relaxvm.api.CallArgs#context}, which has the call's stream on this
   * device. The same module each time.
   */
  public Module library() {
    return Module.empty("library of " + id);
  }

  /**
   * Takes a block of device memory. Its content is undefined.
   *
   * @param byteSize 0 is legal
   * @param alignment in bytes, a power of two; the block has at least the device's own
   * @param scope the memory scope: empty or {@code global} for ordinary memory
   * @return a block of at least {@code byteSize} bytes, to be released by {@link #free}
   * @throws DeviceOutOfMemoryException when the device has not that much
   * @throws BackendException a {@code ValueError} for a negative size, an alignment that is not a
   *     power of two, or a scope that the device does not have
   */
  public final DeviceMemory allocate(long byteSize, long alignment, String scope) {
    checkAllocation(id, byteSize, alignment);
    return doAllocate(byteSize, alignment, scope);
  }

  /** Gives a block of this device back; the caller knows that no work uses it any more. */
  public final void free(DeviceMemory memory) {
    doFree(Objects.requireNonNull(memory, "memory"));
  }

  /**
   * Copies host bytes to the device.
   *
   * @param source all of it is copied; may be reused when the method returns
   * @param offset first byte of the target in {@code target}
   * @throws BackendException an {@code IndexError} when the bytes do not fit the block
   */
  public final void copyIn(MemorySegment source, DeviceMemory target, long offset, Stream stream) {
    checkRange("target", target, offset, source.byteSize());
    if (source.byteSize() > 0) {
      doCopyIn(source, target, offset, stream);
    }
  }

  /**
   * Copies device bytes to the host.
   *
   * @param offset first byte of the source in {@code source}
   * @param target filled completely, once the stream is synchronised
   * @throws BackendException an {@code IndexError} when the bytes are not all in the block
   */
  public final void copyOut(DeviceMemory source, long offset, MemorySegment target, Stream stream) {
    checkRange("source", source, offset, target.byteSize());
    if (target.byteSize() > 0) {
      doCopyOut(source, offset, target, stream);
    }
  }

  /**
   * Copies bytes between two locations of this device. Overlapping ranges in one block are an error
   * of the caller with undefined content as the result.
   *
   * @throws BackendException an {@code IndexError} when the bytes are not all in both blocks
   */
  public final void copyWithin(
      DeviceMemory source,
      long sourceOffset,
      DeviceMemory target,
      long targetOffset,
      long byteSize,
      Stream stream) {
    checkRange("source", source, sourceOffset, byteSize);
    checkRange("target", target, targetOffset, byteSize);
    if (byteSize > 0) {
      doCopyWithin(source, sourceOffset, target, targetOffset, byteSize, stream);
    }
  }

  /** Opens a new stream; the caller closes it. */
  public abstract Stream openStream();

  /** Implements {@link #allocate}. */
  protected abstract DeviceMemory doAllocate(long byteSize, long alignment, String scope);

  /** Implements {@link #free}. */
  protected abstract void doFree(DeviceMemory memory);

  /** Implements {@link #copyIn}; never called for 0 bytes. */
  protected abstract void doCopyIn(
      MemorySegment source, DeviceMemory target, long offset, Stream stream);

  /** Implements {@link #copyOut}; never called for 0 bytes. */
  protected abstract void doCopyOut(
      DeviceMemory source, long offset, MemorySegment target, Stream stream);

  /** Implements {@link #copyWithin}; never called for 0 bytes. */
  protected abstract void doCopyWithin(
      DeviceMemory source,
      long sourceOffset,
      DeviceMemory target,
      long targetOffset,
      long byteSize,
      Stream stream);

  /**
   * Releases everything that the device holds; closing again does nothing. Whatever is asked of the
   * device afterwards raises a {@link BackendException} that says it is closed. Only a device that
   * holds nothing, such as host memory, may go on working.
   */
  @Override
  public abstract void close();

  @Override
  public final String toString() {
    return id.toString();
  }

  /** The argument check that devices and allocators share. */
  static void checkAllocation(DeviceId id, long byteSize, long alignment) {
    if (byteSize < 0) {
      throw new BackendException(
          ErrorKind.VALUE, "cannot allocate " + byteSize + " bytes on " + id + ": negative size");
    }
    if (alignment <= 0 || Long.bitCount(alignment) != 1) {
      throw new BackendException(
          ErrorKind.VALUE,
          "cannot allocate on " + id + " with alignment " + alignment + ": not a power of two");
    }
  }

  private void checkRange(String side, DeviceMemory memory, long offset, long byteSize) {
    if (offset < 0 || byteSize < 0 || offset > memory.byteSize() - byteSize) {
      throw new BackendException(
          ErrorKind.INDEX,
          "copy on "
              + id
              + " touches bytes "
              + offset
              + " to "
              + (offset + byteSize)
              + " of a "
              + side
              + " block of "
              + memory.byteSize()
              + " bytes");
    }
  }
}
