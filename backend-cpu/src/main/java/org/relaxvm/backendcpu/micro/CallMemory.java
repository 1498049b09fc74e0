package org.relaxvm.backendcpu.micro;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Storage;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.host.HostDevice;
import org.relaxvm.api.spi.HostMemory;
import org.relaxvm.backendcpu.kernel.KernelCall;
import org.relaxvm.backendcpu.vector.ProcessMemory;

/**
 * Keeps the tensors of a call while code has their addresses, so that one that is closed by another
 * thread does not end the process. Used by one call; closing releases the tensors.
 */
final class CallMemory implements AutoCloseable {
  private final List<Storage> held = new ArrayList<>(0);

  private CallMemory() {}

  /** The memory of all tensors of a call; null where some is not native or cannot be kept. */
  static @Nullable CallMemory of(KernelCall call) {
    CallMemory memory = new CallMemory();
    for (int i = 0; i < call.count(); i++) {
      if (call.args().ref(i) instanceof Tensor tensor && !memory.keeps(tensor.storage())) {
        memory.close();
        return null;
      }
    }
    return memory;
  }

  private boolean keeps(Storage storage) {
    MemorySegment segment = HostDevice.segmentOf(storage.memory());
    if (ProcessMemory.lasts(segment)) {
      return true;
    }
    boolean isKept =
        segment.isNative() && storage.memory() instanceof HostMemory host && host.arena() != null;
    if (isKept) {
      storage.retain();
      held.add(storage);
    }
    return isKept;
  }

  @Override
  public void close() {
    for (Storage storage : held) {
      storage.release();
    }
    held.clear();
  }
}
