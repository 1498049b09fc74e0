package org.relaxvm.backendcpu.invocation;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.relaxvm.api.Storage;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.host.HostDevice;
import org.relaxvm.api.spi.HostMemory;
import org.relaxvm.backendcpu.vector.ProcessMemory;

/**
 * A keep-alive: retains the storages of tensors while a kernel accesses their memory by raw
 * address, so that a tensor that another thread closes too early does not end the process. Used by
 * one call; closing releases the storages.
 */
public final class Pins implements AutoCloseable {
  private final List<Storage> held = new ArrayList<>(0);
  private boolean complete = ProcessMemory.isOpen();

  /** Holds nothing yet. */
  public Pins() {}

  /** Whether all memory stays. */
  public boolean areComplete() {
    return complete;
  }

  /**
   * Keeps the memory of a tensor for code that checks what it reaches, if that can be done.
   *
   * @param writes whether the kernel writes it
   */
  public void add(Tensor tensor, boolean writes) {
    complete =
        complete
            && !(writes && HostDevice.segmentOf(tensor.storage().memory()).isReadOnly())
            && !goesBack(tensor)
            && keep(tensor);
  }

  /** Keeps the memory of a tensor at its address until this is closed; false if it cannot. */
  public boolean keep(Tensor tensor) {
    Storage storage = tensor.storage();
    MemorySegment segment = HostDevice.segmentOf(storage.memory());
    if (ProcessMemory.lasts(segment)) {
      return true;
    }
    // Closed by who gets the block back, and that waits for the last owner of the storage.
    boolean isOwned =
        segment.isNative() && storage.memory() instanceof HostMemory host && host.arena() != null;
    if (isOwned) {
      storage.retain();
      held.add(storage);
    }
    return isOwned;
  }

  /** Whether elements lie in front of the first one, where addresses are not looked for. */
  private static boolean goesBack(Tensor tensor) {
    boolean back = false;
    for (int axis = 0; axis < tensor.shape().rank() && !tensor.isContiguous(); axis++) {
      back |= tensor.stride(axis) < 0;
    }
    return back;
  }

  @Override
  public void close() {
    for (Storage storage : held) {
      storage.release();
    }
    held.clear();
  }
}
