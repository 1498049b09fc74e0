package org.relaxvm.interoptvm.call;

import java.lang.foreign.MemorySegment;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.host.HostDevice;

/** Whether compiled code can work on a tensor's memory where it lies. */
final class HostTensor {
  /** Compiled code loads and stores with this alignment and does not check it. */
  private static final long ALIGNMENT_MASK = HostDevice.ALIGNMENT - 1;

  private HostTensor() {}

  /** Compact, in native memory of the host, on a boundary of 64 bytes. */
  static boolean isReadable(Tensor tensor) {
    if (!tensor.device().isHost() || !tensor.isContiguous()) {
      return false;
    }
    MemorySegment memory = HostDevice.segmentOf(tensor.storage().memory());
    return memory.isNative() && ((memory.address() + tensor.byteOffset()) & ALIGNMENT_MASK) == 0;
  }

  /** The address of the first element of a tensor that is {@link #isReadable}. */
  static long address(Tensor tensor) {
    return HostDevice.segmentOf(tensor.storage().memory()).address() + tensor.byteOffset();
  }
}
