package org.relaxvm.vmcore.vm;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.spi.Device;
import org.relaxvm.vmcore.interp.DeviceSet;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.program.TensorSpec;

/**
 * Where a program that says so expects the tensors that a function is called with.
 *
 * <p>Rationale: docs/rationale/vm-core.md, "Why are argument devices checked by the program's
 * description?"
 */
final class ParameterDevices {
  private final String function;
  private final List<TensorSpec> inputs;
  private final DeviceSet devices;

  private ParameterDevices(String function, List<TensorSpec> inputs, DeviceSet devices) {
    this.function = function;
    this.inputs = inputs;
    this.devices = devices;
  }

  static ParameterDevices of(Program program, String function, DeviceSet devices) {
    boolean isDescribed =
        program.metadata().function().equals(function)
            && program.metadata().inputs().stream().anyMatch(input -> input.device().isPresent());
    return new ParameterDevices(
        function, isDescribed ? program.metadata().inputs() : List.of(), devices);
  }

  /** Whether the program says nothing of it. */
  boolean isEmpty() {
    return inputs.isEmpty();
  }

  /** The index of a parameter's device: that of the main device where nothing is said. */
  int index(int parameter) {
    Optional<DeviceId> said =
        parameter < inputs.size() ? inputs.get(parameter).device() : Optional.empty();
    return Math.max(0, said.map(devices.names()::indexOf).orElse(0));
  }

  @SuppressWarnings("ReferenceEquality") // a device is one object
  void check(@Nullable Object[] args) {
    for (int i = 0; i < Math.min(args.length, inputs.size()); i++) {
      Device expected = devices.devices().get(index(i));
      if (inputs.get(i).device().isPresent()
          && args[i] instanceof Tensor tensor
          && tensor.device() != expected
          && !(tensor.device().isHost() && expected.isHost())) {
        throw new CallException(
            ErrorKind.VALUE,
            "argument "
                + i
                + " ("
                + inputs.get(i).name()
                + ") of function "
                + function
                + " must be on "
                + expected
                + ", but is on "
                + tensor.device()
                + "\n  what to do: copy it with Tensor.copyTo(vm.allocators().get("
                + index(i)
                + "), stream), or set inputs by a session, which copies them");
      }
    }
  }
}
