package org.relaxvm.vmcore.vm;

import java.util.ArrayList;
import java.util.List;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.spi.Device;
import org.relaxvm.vmcore.executable.Executable;
import org.relaxvm.vmcore.executable.FunctionInfo;
import org.relaxvm.vmcore.executable.FunctionKind;
import org.relaxvm.vmcore.interp.DeviceSet;
import org.relaxvm.vmcore.link.Fallbacks;
import org.relaxvm.vmcore.link.Linked;
import org.relaxvm.vmcore.program.DeviceUse;
import org.relaxvm.vmcore.program.Program;

/** Says where everything of a linked program is. */
final class Placements {
  private final VirtualMachine vm;
  private final Program program;
  private final Executable executable;
  private final Linked linked;
  private final DeviceSet devices;

  private Placements(VirtualMachine vm, Linked linked) {
    this.vm = vm;
    this.program = vm.program();
    this.executable = program.executable();
    this.linked = linked;
    this.devices = linked.engine().devices();
  }

  static Placement of(VirtualMachine vm, Linked linked) {
    return new Placements(vm, linked).placement();
  }

  private Placement placement() {
    DeviceUse use = DeviceUse.of(program);
    return new Placement(
        devices(),
        functions(),
        inputs(),
        constants(),
        use.allocations().stream().map(this::allocation).toList(),
        use.copies().stream().map(this::copy).toList(),
        linked.fallbacks().entries().stream().map(Fallbacks.Entry::toString).toList());
  }

  private List<Placement.DeviceEntry> devices() {
    List<Placement.DeviceEntry> entries = new ArrayList<>();
    for (int i = 0; i < devices.devices().size(); i++) {
      Device device = devices.devices().get(i);
      DeviceId name = devices.names().get(i);
      boolean isNamed = name.kind().equals(device.id().kind()) && device.isHost();
      entries.add(
          new Placement.DeviceEntry(
              i,
              (isNamed ? name : device.id()).toString(),
              isNamed || name.equals(device.id()) ? null : name.toString(),
              device.properties().details()));
    }
    return entries;
  }

  private List<Placement.FunctionEntry> functions() {
    List<Placement.FunctionEntry> functions = new ArrayList<>();
    for (int i = 0; i < executable.functions().size(); i++) {
      Linked.Origin origin = linked.origins().get(i);
      functions.add(
          new Placement.FunctionEntry(
              executable.functions().get(i).name(), origin.text(), origin.device()));
    }
    return functions;
  }

  private List<Placement.InputEntry> inputs() {
    List<Placement.InputEntry> inputs = new ArrayList<>();
    for (FunctionInfo function : executable.functions()) {
      InputDevices wanted = vm.inputDevices(function.name());
      for (int i = 0; function.kind() != FunctionKind.PACKED && i < function.numArgs(); i++) {
        Device device = wanted.device(i);
        if (!device.isHost()) {
          inputs.add(
              new Placement.InputEntry(
                  function.name(), name(function, i), device.toString(), wanted.copies()));
        }
      }
    }
    return inputs;
  }

  private static String name(FunctionInfo function, int parameter) {
    return parameter < function.paramNames().size()
        ? function.paramNames().get(parameter)
        : "argument " + parameter;
  }

  private List<Placement.ConstantEntry> constants() {
    List<Placement.ConstantEntry> constants = new ArrayList<>();
    for (int i = 0; i < linked.constants().size(); i++) {
      Object constant = linked.constants().get(i);
      constants.add(
          constant instanceof Tensor tensor
              ? new Placement.ConstantEntry(
                  i,
                  tensor.dtype() + " " + tensor.shape(),
                  tensor.device().toString(),
                  scope(tensor.storage().scope()))
              : new Placement.ConstantEntry(i, String.valueOf(constant), null, ""));
    }
    return constants;
  }

  private Placement.AllocationEntry allocation(DeviceUse.Allocation each) {
    return new Placement.AllocationEntry(
        each.function(), each.instruction(), device(each.device()), each.scope(), each.byteSize());
  }

  private Placement.CopyEntry copy(DeviceUse.Copy each) {
    int to = devices.indexOf(each.typeCode(), each.ordinal());
    return new Placement.CopyEntry(
        each.function(),
        each.instruction(),
        each.from() == null ? null : device(each.from()),
        to < 0
            ? "type " + each.typeCode() + ", id " + each.ordinal() + ", which is none of the VM's"
            : device(to),
        each.scope());
  }

  private String device(int index) {
    int resolved = index == DeviceUse.HOST ? devices.devices().size() - 1 : index;
    return resolved >= 0 && resolved < devices.devices().size()
        ? devices.devices().get(resolved).toString()
        : "index " + index + ", which is out of the VM's devices";
  }

  private static String scope(String scope) {
    return scope.isEmpty() ? "global" : scope;
  }
}
