package org.relaxvm.integrationtests.programs;

import java.util.ArrayList;
import java.util.List;
import org.relaxvm.api.Tensor;
import org.relaxvm.vmcore.vm.VirtualMachine;

/** Copies arguments of {@code main} from the host to their devices. Closes the copies. */
final class DeviceArguments implements AutoCloseable {
  private final VirtualMachine vm;
  private final List<Tensor> copies = new ArrayList<>();

  DeviceArguments(VirtualMachine vm) {
    this.vm = vm;
  }

  /** The arguments with a copy of each tensor on the device of its parameter. */
  Object[] place(List<Object> args) {
    Object[] placed = new Object[args.size()];
    for (int i = 0; i < placed.length; i++) {
      placed[i] = place(args.get(i), vm.deviceOfParameter("main", i));
    }
    return placed;
  }

  private Object place(Object value, int device) {
    if (value instanceof List<?> fields) {
      return fields.stream().map(field -> place(field, device)).toList();
    }
    if (!(value instanceof Tensor tensor)) {
      return value;
    }
    Tensor copy = vm.upload(tensor, vm.devices().get(device));
    copies.add(copy);
    return copy;
  }

  @Override
  public void close() {
    copies.forEach(Tensor::close);
  }
}
