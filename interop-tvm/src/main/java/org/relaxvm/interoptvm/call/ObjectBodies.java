package org.relaxvm.interoptvm.call;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Tensor;
import org.relaxvm.interoptvm.abi.DlTensor;
import org.relaxvm.interoptvm.abi.ObjectBlock;
import org.relaxvm.interoptvm.abi.TypeIndex;

/** Writes the blocks that stand for Java objects in compiled code. Stateless. */
final class ObjectBodies {
  private ObjectBodies() {}

  /** The bytes of a block for a tensor of so many axes, or for an object that is none. */
  static long bytes(int rank) {
    return ObjectBlock.BYTES + DlTensor.AXIS_BYTES * rank;
  }

  /** The axes of a tensor; 0 for other objects. */
  static int rank(@Nullable Object object) {
    return object instanceof Tensor tensor ? tensor.shape().rank() : 0;
  }

  /**
   * Writes a block. That of a tensor is one for compiled code too, if the tensor is compact and, on
   * the host, where compiled code can reach it.
   *
   * @param index which object it is
   */
  static void put(long address, @Nullable Object object, int index) {
    ObjectBlock.put(address, TypeIndex.ofObject(object), index);
    if (object instanceof Tensor tensor) {
      putTensor(tensor, address);
    }
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
}
