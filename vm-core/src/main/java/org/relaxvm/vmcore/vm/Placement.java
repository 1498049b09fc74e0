package org.relaxvm.vmcore.vm;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where everything of a linked program is: its devices, who provides each function, and where each
 * constant lies. Immutable.
 *
 * @param devices in order; the last is the host
 * @param functions in the order of the function table
 * @param constants in the order of the constant pool
 */
public record Placement(
    List<DeviceEntry> devices, List<FunctionEntry> functions, List<ConstantEntry> constants) {
  /** Copies the lists. */
  public Placement {
    devices = List.copyOf(devices);
    functions = List.copyOf(functions);
    constants = List.copyOf(constants);
  }

  /**
   * A device.
   *
   * @param details what it says of itself beside its name, such as how its kernels are computed
   */
  public record DeviceEntry(String name, Map<String, String> details) {
    private String text() {
      StringBuilder text = new StringBuilder("\n  ").append(name);
      details.forEach((key, value) -> text.append("\n    ").append(key).append(": ").append(value));
      return text.toString();
    }
  }

  /**
   * An entry of the function table.
   *
   * @param origin who provides it: a module, a device's library, a provider with its jar
   */
  public record FunctionEntry(String name, String origin) {}

  /**
   * An entry of the constant pool.
   *
   * @param description dtype and shape of a tensor, else the value
   * @param device the device of a tensor; null for other values
   */
  public record ConstantEntry(int index, String description, @Nullable String device) {}

  /** A line per device, detail of a device, function and constant. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("devices:");
    devices.forEach(device -> text.append(device.text()));
    text.append("\nfunctions:");
    for (FunctionEntry function : functions) {
      text.append("\n  ").append(function.name()).append(": ").append(function.origin());
    }
    text.append("\nconstants:");
    for (ConstantEntry constant : constants) {
      text.append("\n  c[").append(constant.index()).append("]: ").append(constant.description());
      if (constant.device() != null) {
        text.append(" on ").append(constant.device());
      }
    }
    return text.toString();
  }
}
