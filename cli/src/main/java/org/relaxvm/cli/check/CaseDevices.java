package org.relaxvm.cli.check;

import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.api.spi.Device;
import org.relaxvm.cli.input.MainDevice;
import org.relaxvm.vmcore.vm.VirtualMachine;

/** Brings the arguments of a case to the devices that the case names. */
public final class CaseDevices {
  private CaseDevices() {}

  /**
   * A value as an argument.
   *
   * @param name the device that the case names; empty for the main device
   * @param value of the caller's; closed when a copy replaces it
   * @return the value itself or the copy, which the caller closes
   */
  public static @Nullable Object place(
      VirtualMachine vm, Optional<String> name, @Nullable Object value) {
    if (name.isEmpty() || !(value instanceof Tensor onHost)) {
      return MainDevice.upload(vm, value);
    }
    Device device = find(vm, DeviceId.parse(name.get()));
    if (device.isHost()) {
      return onHost;
    }
    try (onHost) {
      return vm.upload(onHost, device);
    }
  }

  private static Device find(VirtualMachine vm, DeviceId id) {
    boolean isHost = id.kind().equals(vm.devices().getLast().id().kind());
    return vm.devices().stream()
        .filter(device -> device.id().equals(id) || (isHost && device.isHost()))
        .findFirst()
        .orElseThrow(
            () ->
                new MalformedFileException(
                    ErrorKind.VALUE,
                    "an argument of the case is on "
                        + id
                        + ", which is none of the devices: "
                        + vm.devices().stream()
                            .map(Device::toString)
                            .collect(Collectors.joining(", "))));
  }
}
