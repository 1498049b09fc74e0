package org.relaxvm.vmcore.vm;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where everything of a linked program is: its devices, who provides each function and where it
 * runs, where constants and storages lie, what is copied between devices, and what the host does
 * instead of devices. Immutable.
 *
 * @param devices in order; the last is the host, which may be there before, too
 * @param functions in the order of the function table
 * @param inputs the parameters that are on another device than the host, by function
 * @param constants in the order of the constant pool
 * @param allocations of storage, in the order of the instructions
 * @param copies that the program says, in the order of the instructions
 * @param fallbacks a line for each thing that the host does instead of a device
 */
public record Placement(
    List<DeviceEntry> devices,
    List<FunctionEntry> functions,
    List<InputEntry> inputs,
    List<ConstantEntry> constants,
    List<AllocationEntry> allocations,
    List<CopyEntry> copies,
    List<String> fallbacks) {
  /** Copies the lists. */
  public Placement {
    devices = List.copyOf(devices);
    functions = List.copyOf(functions);
    inputs = List.copyOf(inputs);
    constants = List.copyOf(constants);
    allocations = List.copyOf(allocations);
    copies = List.copyOf(copies);
    fallbacks = List.copyOf(fallbacks);
  }

  /**
   * A device.
   *
   * @param index by which the program means it
   * @param insteadOf the device that the program names, where that is another one; else null
   * @param details what it says of itself beside its name, such as how its kernels are computed
   */
  public record DeviceEntry(
      int index, String name, @Nullable String insteadOf, Map<String, String> details) {
    private String text() {
      StringBuilder text = new StringBuilder("\n  ").append(index).append(": ").append(name);
      if (insteadOf != null) {
        text.append(", instead of ").append(insteadOf);
      }
      details.forEach((key, value) -> text.append("\n    ").append(key).append(": ").append(value));
      return text.toString();
    }
  }

  /**
   * An entry of the function table.
   *
   * @param origin who provides it: a module, a device's library, a provider with its jar
   * @param device the device that it runs on; null when it belongs to none, as builtins do
   */
  public record FunctionEntry(String name, String origin, @Nullable String device) {}

  /**
   * A parameter of a function of the program.
   *
   * @param name of the parameter; {@code argument 0} and so on where the program does not name it
   * @param device where the function expects a tensor
   * @param copied whether a call copies a host tensor there; otherwise such a tensor is refused or,
   *     where the program states no device, passed on as it is
   */
  public record InputEntry(String function, String name, String device, boolean copied) {
    private String key() {
      return function
          + " on "
          + device
          + (copied ? ", host tensors are copied there: " : ", host tensors are not copied: ");
    }
  }

  /**
   * An entry of the constant pool.
   *
   * @param description dtype and shape of a tensor, else the value
   * @param device the device of a tensor; null for other values
   * @param scope its memory scope, such as {@code global}; empty for other values
   */
  public record ConstantEntry(
      int index, String description, @Nullable String device, String scope) {}

  /**
   * An allocation of storage by an instruction.
   *
   * @param instruction its number in the program
   * @param scope the memory scope, such as {@code global}
   * @param byteSize -1 when only the call says it
   */
  public record AllocationEntry(
      String function, long instruction, String device, String scope, long byteSize) {}

  /**
   * A copy between devices by an instruction.
   *
   * @param instruction its number in the program
   * @param from the device of what is copied; null when only the call says it
   * @param scope the memory scope, such as {@code global}
   */
  public record CopyEntry(
      String function, long instruction, @Nullable String from, String to, String scope) {}

  /** What a function allocates on one device. */
  private static final class Sum {
    int storages;
    int unknown;
    long bytes;

    void add(AllocationEntry allocation) {
      storages++;
      unknown += allocation.byteSize < 0 ? 1 : 0;
      bytes += Math.max(0, allocation.byteSize);
    }

    String text() {
      String known = storages + (storages == 1 ? " storage, " : " storages, ") + bytes + " bytes";
      return unknown == 0 ? known : known + " and " + unknown + " whose size depends on the call";
    }
  }

  /**
   * A line per device, detail of a device, function, constant, copy and fallback, one for all
   * parameters of a function on a device, and one for all that a function allocates on a device and
   * in a scope.
   */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("devices:");
    devices.forEach(device -> text.append(device.text()));
    text.append("\nfunctions:");
    for (FunctionEntry function : functions) {
      text.append("\n  ").append(function.name()).append(": ").append(function.origin());
      if (function.device() != null) {
        text.append(", on ").append(function.device());
      }
    }
    if (!inputs.isEmpty()) {
      text.append("\ninputs:");
      Map<String, List<String>> names = new LinkedHashMap<>();
      inputs.forEach(
          input -> names.computeIfAbsent(input.key(), _ -> new ArrayList<>()).add(input.name()));
      names.forEach((key, all) -> text.append("\n  ").append(key).append(String.join(", ", all)));
    }
    text.append("\nconstants:");
    for (ConstantEntry constant : constants) {
      text.append("\n  c[").append(constant.index()).append("]: ").append(constant.description());
      if (constant.device() != null) {
        text.append(" on ").append(constant.device()).append(scope(constant.scope()));
      }
    }
    if (!allocations.isEmpty()) {
      text.append("\nallocations:");
      sums().forEach((where, sum) -> text.append("\n  ").append(where).append(sum.text()));
    }
    if (!copies.isEmpty()) {
      text.append("\ncopies:");
      copies.forEach(copy -> text.append(text(copy)));
    }
    if (!fallbacks.isEmpty()) {
      text.append("\nfallbacks:");
      fallbacks.forEach(line -> text.append("\n  ").append(line));
    }
    return text.toString();
  }

  private Map<String, Sum> sums() {
    Map<String, Sum> sums = new LinkedHashMap<>();
    for (AllocationEntry each : allocations) {
      String where = each.function() + " on " + each.device() + scope(each.scope()) + ": ";
      sums.computeIfAbsent(where, unused -> new Sum()).add(each);
    }
    return sums;
  }

  private static String text(CopyEntry copy) {
    return "\n  "
        + copy.function()
        + ", instruction "
        + copy.instruction()
        + ": "
        + (copy.from() == null ? "" : "from " + copy.from() + " ")
        + "to "
        + copy.to()
        + scope(copy.scope());
  }

  private static String scope(String scope) {
    return scope.isEmpty() || scope.equals("global") ? "" : ", scope " + scope;
  }
}
