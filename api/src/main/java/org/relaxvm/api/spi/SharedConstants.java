package org.relaxvm.api.spi;

import org.relaxvm.api.Storage;
import org.relaxvm.api.Tensor;

/**
 * Implemented by a {@link Device} to which copies are expensive: it keeps the constants of programs
 * by their content, and gives every virtual machine the same memory. Absent, each virtual machine
 * has copies of its own, from its allocator.
 */
public interface SharedConstants {
  /**
   * Memory with the bytes of a constant. They are copied at the first call for these bytes; whoever
   * asks later shares the memory, also after all others have released it. Nobody writes to it. It
   * counts for no allocator; the device may drop what nobody holds.
   *
   * @param constant a contiguous tensor in host memory, borrowed
   * @param alignment in bytes, a power of two
   * @param scope the memory scope: empty or {@code global} for ordinary memory
   * @return a storage of the tensor's byte size with one owner, the caller; the bytes are there
   * @throws org.relaxvm.api.error.DeviceOutOfMemoryException when the device has not that much
   * @throws org.relaxvm.api.error.BackendException when the copy fails; nothing is kept then
   */
  Storage constant(Tensor constant, long alignment, String scope);
}
