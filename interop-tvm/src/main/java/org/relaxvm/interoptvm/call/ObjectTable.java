package org.relaxvm.interoptvm.call;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Managed;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.FirstFailure;
import org.relaxvm.interoptvm.abi.DlTensor;
import org.relaxvm.interoptvm.abi.ObjectBlock;
import org.relaxvm.interoptvm.abi.TypeIndex;

/**
 * The Java objects that compiled code holds in one thread, by the addresses that stand for them. A
 * stack like {@link CallMemory}: an address is valid until the call that gave it out ends. An
 * object is borrowed, or owned by the table, which then lets go of it at that end unless it was
 * taken out.
 *
 * <p>Confined to one thread, except that tasks of a parallel launch read what the table of the
 * thread that launched them held then. That thread runs a task too, and may add objects meanwhile.
 */
final class ObjectTable {
  private final CallMemory memory = new CallMemory();
  // Volatile, so that other threads find everything in an array that replaced another.
  private volatile @Nullable Object[] objects = new Object[16];
  private boolean[] owned = new boolean[16];
  private int count;

  int count() {
    return count;
  }

  int chunk() {
    return memory.chunk();
  }

  long top() {
    return memory.top();
  }

  /**
   * The address that stands for an object from now on. That of a tensor is one for compiled code
   * too, if the tensor is compact and, on the host, where compiled code can reach it.
   */
  long add(@Nullable Object object, boolean owner) {
    if (count == objects.length) {
      objects = Arrays.copyOf(objects, 2 * count);
      owned = Arrays.copyOf(owned, 2 * count);
    }
    int rank = object instanceof Tensor tensor ? tensor.shape().rank() : 0;
    long address = memory.allocate(ObjectBlock.BYTES + DlTensor.AXIS_BYTES * rank);
    ObjectBlock.put(address, TypeIndex.ofObject(object), count);
    if (object instanceof Tensor tensor) {
      putTensor(tensor, address);
    }
    objects[count] = object;
    owned[count] = owner;
    count++;
    return address;
  }

  /** Writes the body of a tensor that compiled code can take; others stay without one. */
  private static void putTensor(Tensor tensor, long address) {
    long body = ObjectBlock.body(address);
    long extents = address + ObjectBlock.BYTES;
    long data = HostTensor.reachableAddress(tensor);
    if (data != HostTensor.NOT_REACHABLE) {
      DlTensor.put(body, extents, data, tensor.dtype(), tensor.shape());
    } else if (!tensor.device().isHost() && tensor.isContiguous()) {
      // Kernels of the device get what stands for the tensor, and so the tensor itself.
      DlTensor.put(body, extents, address, tensor.device().id(), tensor.dtype(), tensor.shape());
    }
  }

  /** Whether an address is one that this table gave out. */
  boolean holds(long address) {
    return memory.holds(address, ObjectBlock.BYTES) && ObjectBlock.isAt(address);
  }

  /** The object of an address that {@link #holds} accepts, borrowed. */
  @Nullable Object get(long address) {
    int index = ObjectBlock.index(address);
    return index >= 0 && index < count ? objects[index] : null;
  }

  /** The object of an address with an owner for the caller. */
  @Nullable Object take(long address) {
    int index = ObjectBlock.index(address);
    if (index < 0 || index >= count) {
      return null;
    }
    Object object = objects[index];
    if (owned[index]) {
      objects[index] = null;
      owned[index] = false;
    } else {
      Managed.retain(object);
    }
    return object;
  }

  /** Forgets everything that was added since the table had {@code mark} objects. */
  void release(int mark, int markChunk, long markTop) {
    memory.release(markChunk, markTop);
    Throwable failure = null;
    while (count > mark) {
      count--;
      Object object = objects[count];
      objects[count] = null;
      if (owned[count]) {
        owned[count] = false;
        try {
          Managed.release(object);
        } catch (RuntimeException | Error e) {
          failure = FirstFailure.of(failure, e);
        }
      }
    }
    FirstFailure.raise(failure);
  }
}
