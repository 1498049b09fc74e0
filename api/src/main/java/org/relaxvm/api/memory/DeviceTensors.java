package org.relaxvm.api.memory;

import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Storage;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.host.HostDevice;
import org.relaxvm.api.spi.Allocator;
import org.relaxvm.api.spi.Stream;

/**
 * Tensors in memory of an allocator: for backends, builtins and functions that run inside of a call
 * and have its allocators and streams. Users upload tensors through their virtual machine.
 *
 * <p>Stateless; safe for concurrent use.
 */
public final class DeviceTensors {
  private DeviceTensors() {}

  /**
   * A compact tensor with new memory; its content is undefined.
   *
   * @param stream the stream that uses the tensor first
   * @return a tensor with one owner, the caller
   * @throws org.relaxvm.api.error.DeviceOutOfMemoryException as {@link Allocator#allocate}
   */
  public static Tensor allocate(Allocator allocator, DType dtype, Shape shape, Stream stream) {
    Storage storage =
        allocator.allocate(dtype.byteSize(shape.elementCount()), HostDevice.ALIGNMENT, "", stream);
    try {
      return Tensor.view(storage, 0, dtype, shape);
    } finally {
      storage.release();
    }
  }

  /**
   * A compact copy of a tensor on the device of an allocator; complete when the method returns.
   *
   * @param source on any device, with any strides; borrowed
   * @param stream of the allocator's device
   * @return a tensor with one owner, the caller
   * @throws org.relaxvm.api.error.DeviceOutOfMemoryException as {@link Allocator#allocate}
   */
  public static Tensor copyTo(Tensor source, Allocator allocator, Stream stream) {
    Tensor target = allocate(allocator, source.dtype(), source.shape(), stream);
    boolean done = false;
    try {
      // The block may come from a pool, with work still to be done in it. Only this stream is
      // ordered after that, and a device with copies of its own between devices uses others.
      stream.synchronize();
      source.copyInto(target, stream);
      done = true;
      return target;
    } finally {
      if (!done) {
        target.close();
      }
    }
  }
}
