package org.relaxvm.interoptvm.call;

import java.util.List;
import org.relaxvm.api.DeviceTypeCodes;
import org.relaxvm.api.Storage;
import org.relaxvm.api.VmContext;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.spi.Allocator;
import org.relaxvm.api.spi.Device;

/**
 * Temporary memory on devices for compiled code of the host, which passes it to kernels: a block of
 * the virtual machine's allocator, and the address that stands for it. One that compiled code does
 * not free goes back at the end of the call.
 */
final class DeviceWorkspace {
  private DeviceWorkspace() {}

  static long allocate(NativeThread thread, int type, int ordinal, long bytes) {
    VmContext context = thread.context;
    int index = context == null ? -1 : indexOf(context.devices(), type, ordinal);
    if (context == null || index < 0) {
      throw new CallException(
          ErrorKind.VALUE,
          "compiled code asks for temporary memory on "
              + DeviceTypeCodes.kindOf(type).orElse("a device of the unknown type " + type)
              + ":"
              + ordinal
              + ", which "
              + (context == null
                  ? "it can have in calls from a virtual machine only"
                  : "is no device of the virtual machine: it has " + context.devices()));
    }
    if (bytes < 0) {
      throw new CallException(
          ErrorKind.MEMORY,
          "compiled code asks for " + Long.toUnsignedString(bytes) + " bytes of temporary memory");
    }
    Allocator allocator = context.allocator(index);
    Storage storage =
        allocator.allocate(
            bytes, allocator.device().properties().minAlignment(), "", context.stream(index));
    return thread.objects.add(storage, true);
  }

  static void free(NativeThread thread, long address) {
    if (!thread.objects.holds(address)
        || !(thread.objects.get(address) instanceof Storage storage)) {
      throw new CallException(
              ErrorKind.INTERNAL, "compiled code frees temporary memory that it did not allocate")
          .withTvmMessage("trying to free things that has not been allocated");
    }
    thread.objects.take(address);
    storage.release();
  }

  private static int indexOf(List<Device> devices, int type, int ordinal) {
    for (int i = 0; i < devices.size(); i++) {
      Device device = devices.get(i);
      if (device.id().typeCode() == type && device.id().ordinal() == ordinal) {
        return i;
      }
    }
    return -1;
  }
}
