package org.relaxvm.interoptvm.call;

import java.lang.foreign.MemorySegment;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.host.HostDevice;
import org.relaxvm.api.spi.HostMemory;

/** Whether compiled code can work on a tensor's memory where it lies. */
final class HostTensor {
  /** Compiled code loads and stores with this alignment and does not check it. */
  private static final long ALIGNMENT_MASK = HostDevice.ALIGNMENT - 1;

  static final long NOT_REACHABLE = -1;

  private HostTensor() {}

  /** The address of the first element, or -1 when compiled code cannot work there. */
  static long reachableAddress(Tensor tensor) {
    // Compiled code would work on memory that is gone; a copy is refused with the reason.
    if (!tensor.isLive()
        || !tensor.isContiguous()
        || !(tensor.storage().memory() instanceof HostMemory memory)) {
      return NOT_REACHABLE;
    }
    MemorySegment segment = memory.segment();
    long address = segment.address() + tensor.byteOffset();
    return segment.isNative() && segment.scope().isAlive() && (address & ALIGNMENT_MASK) == 0
        ? address
        : NOT_REACHABLE;
  }

  /** Compact, in native memory of the host, on a boundary of 64 bytes. */
  static boolean isReachable(Tensor tensor) {
    return reachableAddress(tensor) != NOT_REACHABLE;
  }
}
