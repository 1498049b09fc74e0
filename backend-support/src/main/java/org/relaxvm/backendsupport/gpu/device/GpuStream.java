package org.relaxvm.backendsupport.gpu.device;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.Event;
import org.relaxvm.api.spi.Stream;

/**
 * A stream of a GPU.
 *
 * @param <M> the blocks of its device
 */
public interface GpuStream<M extends GpuMemory> extends Stream, Owned {
  /** Copies host bytes to a block; the source may be reused when it returns. */
  void write(MemorySegment source, M target, long offset);

  /** Copies a block to the host, and waits for it. */
  void read(M source, long offset, MemorySegment target);

  /** Copies between blocks of the device. */
  void copy(M source, long sourceOffset, M target, long targetOffset, long byteSize);

  /** The error for work that is given to a closed stream. */
  static BackendException closed(DeviceId id) {
    return new BackendException(
        ErrorKind.VALUE, "a stream of " + id + " is closed: it takes no work");
  }

  /**
   * The error for an event of another device.
   *
   * @param owner the event's device, or null if the event is of another backend
   */
  static BackendException foreignEvent(DeviceId id, Event event, @Nullable Device owner) {
    return new BackendException(
        ErrorKind.VALUE,
        "a stream of "
            + id
            + " waits for events of its own device only, but got "
            + (owner != null ? "one of " + owner : event.getClass().getName()));
  }

  /** The error for a tensor map as an argument, on a device without them. */
  static BackendException noTensorMaps(DeviceId id, int index, Object kernel) {
    return new BackendException(
        ErrorKind.TYPE,
        id
            + " has no tensor maps, but argument #"
            + index
            + " of the kernel "
            + kernel
            + " is one");
  }

  /** The error for a tensor that starts at a byte of a block from which it cannot be bound. */
  static BackendException misaligned(
      DeviceId id, int index, Object kernel, long offset, GpuMemory block, long alignment) {
    return new BackendException(
        ErrorKind.VALUE,
        id
            + " cannot give argument #"
            + index
            + " of the kernel "
            + kernel
            + " a tensor that starts at byte "
            + offset
            + " of a block of "
            + block.byteSize()
            + ": it must be a multiple of "
            + alignment
            + " within the block\n  what to do: copy the tensor, and give the kernel the copy");
  }

  /** The error for a launch of a kernel whose program was closed. */
  static BackendException closedProgram(DeviceId id, String kernel) {
    return new BackendException(
        ErrorKind.VALUE,
        "the program of kernel "
            + kernel
            + " on "
            + id
            + " is closed: it cannot be launched any more");
  }
}
