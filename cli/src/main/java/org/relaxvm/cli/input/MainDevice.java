package org.relaxvm.cli.input;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Managed;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.spi.Device;
import org.relaxvm.vmcore.vm.VirtualMachine;

/** Brings what was read on the host to the devices where a program expects it. */
public final class MainDevice {
  private MainDevice() {}

  /**
   * A value as an argument of a call: tensors, in tuples too, are copied to the VM's first device,
   * unless that is the host.
   *
   * @param value of the caller's; closed when a copy replaces it
   * @return the value itself or the copy, which the caller closes
   */
  public static @Nullable Object upload(VirtualMachine vm, @Nullable Object value) {
    return upload(vm, 0, value);
  }

  /**
   * Arguments of a function, each on the device where the program expects it; what is not there is
   * replaced as {@link #upload(VirtualMachine, Object)} says.
   */
  public static void uploadAll(
      VirtualMachine vm, String function, List<@Nullable Object> arguments) {
    for (int i = 0; i < arguments.size(); i++) {
      arguments.set(i, upload(vm, vm.deviceOfParameter(function, i), arguments.get(i)));
    }
  }

  private static @Nullable Object upload(VirtualMachine vm, int index, @Nullable Object value) {
    Device device = vm.devices().get(index);
    if (device.isHost() || !(value instanceof Tensor || value instanceof Tuple)) {
      return value;
    }
    try (Managed onHost = (Managed) value) {
      return copy(vm, device, onHost);
    }
  }

  private static Object copy(VirtualMachine vm, Device device, Object value) {
    if (value instanceof Tensor tensor) {
      return vm.upload(tensor, device);
    }
    if (value instanceof Tuple tuple) {
      @Nullable Object[] fields = new Object[tuple.size()];
      boolean done = false;
      try {
        for (int i = 0; i < fields.length; i++) {
          Object field = tuple.get(i);
          fields[i] = field == null ? null : copy(vm, device, field);
        }
        done = true;
        return Tuple.ofOwned(tuple.tag(), fields);
      } finally {
        if (!done) {
          for (Object field : fields) {
            Managed.release(field);
          }
        }
      }
    }
    Managed.retain(value);
    return value;
  }
}
