package org.relaxvm.cli.inspect;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DeviceId;
import org.relaxvm.vmcore.program.DeviceUse;
import org.relaxvm.vmcore.program.Program;

/** The devices that a program is placed on: what it allocates there, and what it copies to them. */
record DeviceReport(List<DeviceId> devices, DeviceUse use) {
  static DeviceReport of(Program program) {
    return new DeviceReport(program.metadata().devices(), DeviceUse.of(program));
  }

  /** Nothing for a program that runs on whatever device it is given. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    if (devices.isEmpty()) {
      return lines;
    }
    lines.add("");
    lines.add("Devices (" + devices.size() + "), constants on the first");
    for (int i = 0; i < devices.size(); i++) {
      lines.add("  " + i + ": " + devices.get(i));
    }
    lines.add("");
    lines.add("Allocations");
    Map<String, Integer> counts = new LinkedHashMap<>();
    for (DeviceUse.Allocation each : use.allocations()) {
      counts.merge(
          each.function() + " on " + name(each.device()) + scope(each.scope()), 1, Integer::sum);
    }
    counts.forEach((where, count) -> lines.add("  " + where + ": " + count));
    lines.add("");
    lines.add("Copies between devices (" + use.copies().size() + ")");
    for (DeviceUse.Copy copy : use.copies()) {
      lines.add(
          "  "
              + copy.function()
              + ", instruction "
              + copy.instruction()
              + ": "
              + from(copy)
              + "to "
              + target(copy)
              + scope(copy.scope()));
    }
    return lines;
  }

  private String from(DeviceUse.Copy copy) {
    Integer from = copy.from();
    return from == null ? "" : "from " + name(from) + " ";
  }

  private String name(int index) {
    if (index == DeviceUse.HOST) {
      return DeviceId.CPU.toString();
    }
    return index < devices.size() ? devices.get(index).toString() : "device " + index;
  }

  private String target(DeviceUse.Copy copy) {
    return devices.stream()
        .filter(copy::isTo)
        .findFirst()
        .map(DeviceId::toString)
        .orElse("type " + copy.typeCode() + ", id " + copy.ordinal());
  }

  private static String scope(String scope) {
    return scope.equals("global") ? "" : ", scope " + scope;
  }

  /** The devices, allocations and copies as lists. */
  Map<String, Object> json() {
    List<Object> allocations = new ArrayList<>();
    for (DeviceUse.Allocation each : use.allocations()) {
      Map<String, Object> object = new LinkedHashMap<>();
      object.put("function", each.function());
      object.put("instruction", each.instruction());
      object.put("device", name(each.device()));
      object.put("scope", each.scope());
      object.put("bytes", each.byteSize());
      allocations.add(object);
    }
    List<Object> copies = new ArrayList<>();
    for (DeviceUse.Copy copy : use.copies()) {
      Map<String, @Nullable Object> object = new LinkedHashMap<>();
      object.put("function", copy.function());
      object.put("instruction", copy.instruction());
      Integer from = copy.from();
      object.put("from", from == null ? null : name(from));
      object.put("to", target(copy));
      object.put("scope", copy.scope());
      copies.add(object);
    }
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("devices", devices.stream().map(DeviceId::toString).toList());
    json.put("allocations", allocations);
    json.put("copies", copies);
    return json;
  }
}
