package org.relaxvm.vmcore.interp;

import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.FirstFailure;
import org.relaxvm.api.spi.Allocator;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.Stream;

/**
 * A VM's devices with their allocators and idle streams; the last device is the host. Each has the
 * name that the program knows it by, which is another one where a device replaces another. The host
 * is there more than once where it replaces a device, and where several CPU devices are given.
 * Thread-safe.
 */
public final class DeviceSet {
  private final List<Device> devices;
  private final List<DeviceId> names;
  private final List<Allocator> allocators;
  private final List<ConcurrentLinkedDeque<Stream>> idle;
  private volatile boolean closed;

  /**
   * Devices with the names that the program uses for them, and their allocators; the caller closes
   * them.
   */
  public DeviceSet(List<Device> devices, List<DeviceId> names, List<Allocator> allocators) {
    this.devices = List.copyOf(devices);
    this.names = List.copyOf(names);
    this.allocators = List.copyOf(allocators);
    this.idle = devices.stream().map(_ -> new ConcurrentLinkedDeque<Stream>()).toList();
  }

  /** The devices. */
  public List<Device> devices() {
    return devices;
  }

  /** The names that the program uses for the devices. */
  public List<DeviceId> names() {
    return names;
  }

  /** The index that the program means by a type code and a number, or -1. */
  public int indexOf(long typeCode, long ordinal) {
    int index = indexOf(names, typeCode, ordinal);
    return index >= 0
        ? index
        : indexOf(devices.stream().map(Device::id).toList(), typeCode, ordinal);
  }

  private static int indexOf(List<DeviceId> ids, long typeCode, long ordinal) {
    for (int i = 0; i < ids.size(); i++) {
      if (ids.get(i).typeCode() == typeCode && ids.get(i).ordinal() == ordinal) {
        return i;
      }
    }
    return -1;
  }

  /** The allocators, one per device. */
  public List<Allocator> allocators() {
    return allocators;
  }

  /** The index of a device, or -1. */
  @SuppressWarnings("ReferenceEquality") // a device is one object
  public int indexOf(Device device) {
    for (int i = 0; i < devices.size(); i++) {
      if (devices.get(i) == device || (devices.get(i).isHost() && device.isHost())) {
        return i;
      }
    }
    return -1;
  }

  /** An index that may be -1 for the host, checked. */
  int resolve(int index) {
    int resolved = index == -1 ? devices.size() - 1 : index;
    if (resolved < 0 || resolved >= devices.size()) {
      throw new CallException(
              ErrorKind.INTERNAL,
              "there is no device "
                  + index
                  + ": the devices of the virtual machine are "
                  + devices
                  + ", and -1 is the host")
          .withTvmMessage("The device index is out of VM physical devices list");
    }
    return resolved;
  }

  /**
   * An idle stream of a device, or a new one; the caller returns it with {@link #giveBack} or
   * closes it.
   */
  public Stream borrow(int index) {
    @Nullable Stream stream = idle.get(index).pollFirst();
    return stream != null ? stream : devices.get(index).openStream();
  }

  /** Gives a stream back, on which no work is under way; closes it after {@link #closeStreams}. */
  public void giveBack(int index, Stream stream) {
    idle.get(index).addFirst(stream);
    if (closed) {
      closeStreams();
    }
  }

  /** Closes idle streams, each even if others fail; no call is under way. */
  public void closeStreams() {
    closed = true;
    Throwable failure = null;
    for (ConcurrentLinkedDeque<Stream> streams : idle) {
      for (Stream stream = streams.poll(); stream != null; stream = streams.poll()) {
        try {
          stream.close();
        } catch (RuntimeException | Error e) {
          failure = FirstFailure.of(failure, e);
        }
      }
    }
    FirstFailure.raise(failure);
  }
}
