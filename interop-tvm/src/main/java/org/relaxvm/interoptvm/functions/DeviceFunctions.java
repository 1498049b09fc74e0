package org.relaxvm.interoptvm.functions;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.VmContext;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.host.HostDevice;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.DeviceProperties;

/**
 * Questions about devices and their streams. In RelaxVM a call has one stream on each device, whose
 * handle is 0 here; no device is current, because everything names its device.
 */
final class DeviceFunctions {
  private static final int EXISTS = 0;
  private static final int NAME = 5;
  private static final int TOTAL_MEMORY = 14;

  private DeviceFunctions() {}

  static Map<String, PackedFunc> functions() {
    return Map.of(
        "__tvm_set_device", DeviceFunctions::setDevice,
        "runtime.GetDeviceAttr", DeviceFunctions::attribute,
        "runtime.Device_StreamCreate", DeviceFunctions::createStream,
        "runtime.Device_StreamFree", (args, _) -> useStream("StreamFree", args),
        "runtime.Device_SetStream", (args, _) -> useStream("SetStream", args),
        "runtime.Device_StreamSync", DeviceFunctions::synchronize,
        "runtime.Device_StreamSyncFromTo", DeviceFunctions::order);
  }

  private static void setDevice(CallArgs args, CallResult result) {
    args.requireCount("__tvm_set_device(device_type, device_id)", 2);
    device(args, args.longAt(0), args.longAt(1));
  }

  private static void attribute(CallArgs args, CallResult result) {
    args.requireCount("runtime.GetDeviceAttr(device_type, device_id, kind)", 3);
    long type = args.longAt(0);
    long ordinal = args.longAt(1);
    long kind = args.longAt(2);
    if (kind == EXISTS) {
      result.setLong(find(args, type, ordinal) == null ? 0 : 1);
      return;
    }
    DeviceProperties properties = device(args, type, ordinal).properties();
    if (kind == NAME) {
      result.set(properties.name());
    } else if (kind == TOTAL_MEMORY && properties.totalMemoryBytes() > 0) {
      result.setLong(properties.totalMemoryBytes());
    }
    // Null is what a device of Apache TVM answers that does not know either.
  }

  private static void createStream(CallArgs args, CallResult result) {
    args.requireCount("runtime.Device_StreamCreate(device)", 1);
    device(args);
    result.setLong(0);
  }

  private static void useStream(String name, CallArgs args) {
    args.requireCount("runtime.Device_" + name + "(device, stream)", 2);
    device(args);
    requireStream(args, 1);
  }

  private static void synchronize(CallArgs args, CallResult result) {
    args.requireCount("runtime.Device_StreamSync(device, stream)", 2);
    Device device = device(args);
    requireStream(args, 1);
    VmContext vm = args.contextOrNull();
    if (vm != null) {
      vm.stream(vm.indexOf(device)).synchronize();
    }
  }

  private static void order(CallArgs args, CallResult result) {
    args.requireCount("runtime.Device_StreamSyncFromTo(device, source, target)", 3);
    device(args);
    requireStream(args, 1);
    requireStream(args, 2);
  }

  private static void requireStream(CallArgs args, int index) {
    if (args.longAt(index) != 0) {
      throw new CallException(
          ErrorKind.VALUE,
          "there is no stream "
              + args.longAt(index)
              + "\n  what to do: use 0, the one stream that a call has on each device");
    }
  }

  private static Device device(CallArgs args) {
    if (args.ref(0) instanceof DeviceId id) {
      return device(args, id.typeCode(), id.ordinal());
    }
    throw args.mismatch(0, "Device");
  }

  private static Device device(CallArgs args, long type, long ordinal) {
    Device found = find(args, type, ordinal);
    if (found == null) {
      throw new CallException(
          ErrorKind.VALUE,
          "there is no device with type "
              + type
              + " and id "
              + ordinal
              + "\n  the devices are "
              + devices(args));
    }
    return found;
  }

  private static @Nullable Device find(CallArgs args, long type, long ordinal) {
    for (Device device : devices(args)) {
      if (device.id().typeCode() == type && device.id().ordinal() == ordinal) {
        return device;
      }
    }
    return null;
  }

  private static List<Device> devices(CallArgs args) {
    VmContext vm = args.contextOrNull();
    return vm == null ? List.of(HostDevice.INSTANCE) : vm.devices();
  }
}
