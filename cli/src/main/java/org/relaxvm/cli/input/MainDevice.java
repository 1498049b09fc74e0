package org.relaxvm.cli.input;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Managed;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.Stream;
import org.relaxvm.vmcore.vm.VirtualMachine;

/** Brings what was read on the host to the device that a program runs on. */
public final class MainDevice {
  private MainDevice() {}

  /**
   * A value as an argument of a call: tensors, in tuples too, are copied to the VM's first device,
   * unless that is the host.
   *
   * @param value of the caller's; closed when a copy takes its place
   * @return the value itself or the copy, which the caller closes
   */
  public static @Nullable Object place(VirtualMachine vm, @Nullable Object value) {
    Device main = vm.devices().getFirst();
    if (main.isHost() || !(value instanceof Tensor || value instanceof Tuple)) {
      return value;
    }
    try (Managed onHost = (Managed) value;
        Stream stream = main.openStream()) {
      return copy(vm, onHost, stream);
    }
  }

  private static Object copy(VirtualMachine vm, Object value, Stream stream) {
    if (value instanceof Tensor tensor) {
      return tensor.copyTo(vm.allocators().getFirst(), stream);
    }
    if (value instanceof Tuple tuple) {
      @Nullable Object[] fields = new Object[tuple.size()];
      boolean done = false;
      try {
        for (int i = 0; i < fields.length; i++) {
          Object field = tuple.get(i);
          fields[i] = field == null ? null : copy(vm, field, stream);
        }
        done = true;
        return Tuple.ofOwned(fields);
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
