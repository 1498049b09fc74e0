package org.relaxvm.interoprelay.translate.release;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.DeviceTypeCodes;
import org.relaxvm.interoprelay.release.Era;
import org.relaxvm.interoprelay.release.ReleasedDevice;
import org.relaxvm.interoprelay.release.ReleasedExecutable;
import org.relaxvm.interoprelay.release.ReleasedFunction;
import org.relaxvm.interoprelay.release.ReleasedInstruction;
import org.relaxvm.interoprelay.release.ReleasedInstruction.AllocStorage;
import org.relaxvm.interoprelay.release.ReleasedInstruction.DeviceCopy;

/**
 * The devices of a released executable: the rows of its table, or the device types that its
 * instructions name, in order of first use (era R2).
 *
 * <p>Source: docs/spec/relay-register-vm.md, section 16. Immutable.
 */
public final class DeviceTable {
  private static final int CPU = 1;

  private final Era era;
  private final List<ReleasedDevice> rows;
  private final List<ReleasedDevice> distinct;

  private DeviceTable(Era era, List<ReleasedDevice> rows) {
    this.era = era;
    this.rows = rows;
    this.distinct = distinct(rows);
  }

  /** The devices of an executable. */
  public static DeviceTable of(ReleasedExecutable executable) {
    return new DeviceTable(
        executable.era(), executable.era() == Era.R2 ? named(executable) : executable.devices());
  }

  private static List<ReleasedDevice> named(ReleasedExecutable executable) {
    Set<Integer> types = new LinkedHashSet<>(executable.constantDevices());
    for (ReleasedFunction function : executable.functions()) {
      types.addAll(function.paramDevices());
      for (ReleasedInstruction instruction : function.code()) {
        switch (instruction) {
          case AllocStorage allocation -> types.add(allocation.device());
          case DeviceCopy copy -> {
            types.add(copy.fromDevice());
            types.add(copy.toDevice());
          }
          default -> {}
        }
      }
    }
    // 0 stands for a device that the compiler did not need to know.
    return types.stream()
        .filter(type -> type > 0)
        .map(type -> new ReleasedDevice(type, 0, ""))
        .toList();
  }

  /** Rows that differ in the memory scope alone are one device; the host comes last. */
  private static List<ReleasedDevice> distinct(List<ReleasedDevice> rows) {
    Set<ReleasedDevice> devices = new LinkedHashSet<>();
    rows.forEach(row -> devices.add(new ReleasedDevice(row.type(), row.id(), "")));
    List<ReleasedDevice> ordered = new ArrayList<>(devices);
    ordered.sort((a, b) -> Boolean.compare(a.type() == CPU, b.type() == CPU));
    return ordered;
  }

  /** Whether memory is on more than one device. */
  boolean isHeterogeneous() {
    return distinct.size() > 1;
  }

  /** The devices in the order of their indices; empty if there are not several. */
  public List<DeviceId> placement() {
    return isHeterogeneous() ? distinct.stream().map(DeviceTable::id).toList() : List.of();
  }

  private static DeviceId id(ReleasedDevice row) {
    String kind =
        DeviceTypeCodes.kindOf(row.type())
            .orElse(row.type() < 0 ? "ext_dev" : "device_type_" + row.type());
    return new DeviceId(kind, Math.max(0, row.id()));
  }

  /** The row that an instruction names; the first where the era has no devices. */
  ReleasedDevice row(int device) {
    if (era == Era.R2) {
      ReleasedDevice named = new ReleasedDevice(device, 0, "");
      return rows.contains(named) || distinct.isEmpty() ? named : distinct.getFirst();
    }
    return device >= 0 && device < rows.size() ? rows.get(device) : new ReleasedDevice(CPU, 0, "");
  }

  /** The index among the virtual machine's devices of one that an instruction names. */
  int index(int device) {
    ReleasedDevice row = row(device);
    return isHeterogeneous()
        ? Math.max(0, distinct.indexOf(new ReleasedDevice(row.type(), row.id(), "")))
        : 0;
  }

  /** The memory scope of a device that an instruction names. */
  String scope(int device) {
    String scope = row(device).memoryScope();
    return scope.isEmpty() ? "global" : scope;
  }
}
