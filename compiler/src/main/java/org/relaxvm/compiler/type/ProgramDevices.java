package org.relaxvm.compiler.type;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.DeviceTypeCodes;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;

/**
 * The devices of a module, in the order of their indices in the virtual machine: in the order of
 * its virtual devices, the host last. Several virtual devices may be memories of one device.
 * Immutable.
 *
 * @param vdevices those of the module
 * @param devices each once; empty for a module without virtual devices
 */
public record ProgramDevices(List<VDevice> vdevices, List<DeviceId> devices) {
  /** Copies the lists. */
  public ProgramDevices {
    vdevices = List.copyOf(vdevices);
    devices = List.copyOf(devices);
  }

  /**
   * The devices of a module's virtual devices.
   *
   * @throws InvalidProgramException when it names a second host, or devices that the bytecode
   *     cannot tell apart
   */
  public static ProgramDevices of(List<VDevice> vdevices) {
    List<DeviceId> devices = new ArrayList<>();
    for (VDevice vdevice : vdevices) {
      DeviceId device = vdevice.device();
      if (device.kind().equals(DeviceId.CPU.kind()) && device.ordinal() != 0) {
        throw new InvalidProgramException(
            ErrorKind.VALUE,
            "the module names the virtual device " + vdevice + ", but there is one host: cpu:0");
      }
      for (DeviceId other : devices) {
        if (device.typeCode() == DeviceTypeCodes.EXTENSION
            && other.typeCode() == DeviceTypeCodes.EXTENSION
            && !device.equals(other)
            && device.ordinal() == other.ordinal()) {
          throw new InvalidProgramException(
              ErrorKind.VALUE,
              "the module names the devices "
                  + other
                  + " and "
                  + device
                  + ", which the bytecode cannot tell apart: both are of type "
                  + DeviceTypeCodes.EXTENSION
                  + " there; give one of them another number");
        }
      }
      if (!devices.contains(device)) {
        devices.add(device);
      }
    }
    if (devices.remove(DeviceId.CPU)) {
      devices.add(DeviceId.CPU);
    }
    return new ProgramDevices(vdevices, devices);
  }

  /** Whether the module says nothing of devices. */
  public boolean isEmpty() {
    return devices.isEmpty();
  }

  /** The index of a virtual device's device. */
  public int index(VDevice vdevice) {
    return devices.indexOf(vdevice.device());
  }

  /**
   * Where tensors lie of which the module does not say it: on the first virtual device with global
   * memory.
   */
  public VDevice defaultVDevice() {
    return vdevices.stream()
        .filter(vdevice -> vdevice.memoryScope().equals("global"))
        .findFirst()
        .orElse(vdevices.getFirst());
  }

  /** The host's memory; empty when it is none of the virtual devices. */
  public Optional<VDevice> host() {
    return vdevices.stream().filter(vdevice -> vdevice.device().equals(DeviceId.CPU)).findFirst();
  }

  /** What a device is called in a program: its kind, and its number where there are more of it. */
  public String name(DeviceId device) {
    long count = devices.stream().filter(other -> other.kind().equals(device.kind())).count();
    return count == 1 ? device.kind() : device.toString();
  }
}
