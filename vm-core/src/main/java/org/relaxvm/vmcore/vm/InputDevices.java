package org.relaxvm.vmcore.vm;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.Managed;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.memory.DeviceTensors;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.Stream;
import org.relaxvm.vmcore.interp.DeviceSet;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.program.TensorSpec;

/**
 * The devices of a function's parameters: those that the program states, else the main device.
 * Brings arguments there, tensors inside of tuples included.
 */
final class InputDevices {
  private final String function;
  private final List<TensorSpec> stated;
  private final DeviceSet devices;
  private final boolean copies;

  private InputDevices(
      String function, List<TensorSpec> stated, DeviceSet devices, InputCopies mode) {
    this.function = function;
    this.stated = stated;
    this.devices = devices;
    this.copies =
        mode == InputCopies.COPY && devices.devices().stream().anyMatch(each -> !each.isHost());
  }

  static InputDevices of(Program program, String function, DeviceSet devices, InputCopies mode) {
    boolean isStated =
        program.metadata().function().equals(function)
            && program.metadata().inputs().stream().anyMatch(input -> input.device().isPresent());
    return new InputDevices(
        function, isStated ? program.metadata().inputs() : List.of(), devices, mode);
  }

  /** Every parameter is on the main device. */
  static InputDevices main(DeviceSet devices) {
    return new InputDevices("", List.of(), devices, InputCopies.COPY);
  }

  /** The index of a parameter's device. */
  int index(int parameter) {
    Optional<DeviceId> named =
        parameter < stated.size() ? stated.get(parameter).device() : Optional.empty();
    return Math.max(0, named.map(devices.names()::indexOf).orElse(0));
  }

  /** The device of a parameter. */
  Device device(int parameter) {
    return devices.devices().get(index(parameter));
  }

  /** Whether host tensors are copied. */
  boolean copies() {
    return copies;
  }

  /** Whether arguments are passed on as they are, without a look at them. */
  boolean isTrivial() {
    return stated.isEmpty() && !copies;
  }

  /** Arguments of one call, and the copies among them, which are released by {@link #close}. */
  record Placed(@Nullable Object[] values, List<Managed> owned) implements AutoCloseable {
    @Override
    public void close() {
      owned.forEach(value -> value.release());
    }
  }

  /**
   * Copies host tensors to the devices of their parameters, where copies are allowed, and checks
   * the devices of all others.
   *
   * @throws CallException a {@code ValueError} for a tensor on a device other than the stated one
   */
  Placed place(@Nullable Object[] args) {
    Placed placed = new Placed(args.clone(), new ArrayList<>());
    boolean done = false;
    try {
      for (int i = 0; i < args.length; i++) {
        if (copies) {
          placed.values[i] = uploaded(args[i], index(i), placed.owned);
        }
        check(i, placed.values[i]);
      }
      done = true;
      return placed;
    } finally {
      if (!done) {
        placed.close();
      }
    }
  }

  private @Nullable Object uploaded(@Nullable Object value, int index, List<Managed> owned) {
    return NestedTuples.map(
        value,
        leaf -> {
          if (leaf instanceof Tensor tensor
              && tensor.device().isHost()
              && !devices.devices().get(index).isHost()) {
            Tensor copy = copy(tensor, index);
            owned.add(copy);
            return copy;
          }
          return leaf;
        },
        (tuple, fields) -> {
          if (isSame(tuple, fields)) {
            return tuple;
          }
          Tuple made = Tuple.tagged(tuple.tag(), fields);
          owned.add(made);
          return made;
        },
        _ -> {});
  }

  @SuppressWarnings("ReferenceEquality") // whether they are other objects
  private static boolean isSame(Tuple tuple, @Nullable Object[] fields) {
    for (int i = 0; i < fields.length; i++) {
      if (fields[i] != tuple.get(i)) {
        return false;
      }
    }
    return true;
  }

  private void check(int parameter, @Nullable Object value) {
    if (parameter >= stated.size() || stated.get(parameter).device().isEmpty()) {
      return;
    }
    Misplaced misplaced = misplaced(value, device(parameter));
    if (misplaced != null) {
      throw new CallException(
          ErrorKind.VALUE,
          "argument "
              + parameter
              + " ("
              + stated.get(parameter).name()
              + ") of function "
              + function
              + " must be on "
              + device(parameter)
              + ", but "
              + (misplaced.field().isEmpty() ? "" : "its field " + misplaced.field() + " ")
              + "is on "
              + misplaced.device()
              + "\n  what to do: "
              + remedy(parameter));
    }
  }

  /**
   * A tensor on another device.
   *
   * @param field its index in the argument, such as {@code 1.0} in nested tuples; empty for the
   *     argument itself
   */
  private record Misplaced(String field, Device device) {}

  /** The first tensor in a value that is on another device, or null. */
  private static @Nullable Misplaced misplaced(@Nullable Object value, Device wanted) {
    if (value instanceof Tensor tensor && isElsewhere(tensor.device(), wanted)) {
      return new Misplaced("", tensor.device());
    }
    if (value instanceof Tuple tuple) {
      List<@Nullable Object> fields = tuple.fields();
      for (int i = 0; i < fields.size(); i++) {
        Misplaced inner = misplaced(fields.get(i), wanted);
        if (inner != null) {
          String field = inner.field().isEmpty() ? "" + i : i + "." + inner.field();
          return new Misplaced(field, inner.device());
        }
      }
    }
    return null;
  }

  private String remedy(int parameter) {
    int index = index(parameter);
    int first = mainUpload(devices);
    return index == first
        ? "upload it with vm.upload(tensor)"
        : "upload it with vm.upload(tensor, vm.devices().get(" + index + "))";
  }

  /** The index of the first device that is not the host; 0 when there is none. */
  static int mainUpload(DeviceSet devices) {
    for (int i = 0; i < devices.devices().size(); i++) {
      if (!devices.devices().get(i).isHost()) {
        return i;
      }
    }
    return 0;
  }

  /** Copies each tensor that is not on the device of its parameter; all values get an owner. */
  @Nullable Object[] toDevices(@Nullable Object[] values) {
    @Nullable Object[] converted = new Object[values.length];
    boolean done = false;
    try {
      for (int i = 0; i < values.length; i++) {
        converted[i] = toDevice(values[i], index(i));
      }
      done = true;
      return converted;
    } finally {
      if (!done) {
        release(converted);
      }
    }
  }

  private @Nullable Object toDevice(@Nullable Object value, int index) {
    return NestedTuples.map(
        value,
        leaf -> {
          if (leaf instanceof Tensor tensor
              && isElsewhere(tensor.device(), devices.devices().get(index))) {
            return copy(tensor, index);
          }
          Managed.retain(leaf);
          return leaf;
        },
        (tuple, fields) -> Tuple.ofOwned(tuple.tag(), fields),
        InputDevices::release);
  }

  private Tensor copy(Tensor tensor, int index) {
    return copy(devices, tensor, index);
  }

  /** A copy of a tensor on one of the devices. */
  static Tensor copy(DeviceSet devices, Tensor tensor, int index) {
    Stream stream = devices.borrow(index);
    try {
      Tensor copy = DeviceTensors.copyTo(tensor, devices.allocators().get(index), stream);
      devices.giveBack(index, stream);
      return copy;
    } catch (RuntimeException | Error e) {
      try {
        stream.close();
      } catch (RuntimeException | Error another) {
        e.addSuppressed(another);
      }
      throw e;
    }
  }

  @SuppressWarnings("ReferenceEquality") // a device is one object
  private static boolean isElsewhere(Device device, Device wanted) {
    return device != wanted && !(device.isHost() && wanted.isHost());
  }

  static void release(@Nullable Object[] values) {
    for (Object value : values) {
      Managed.release(value);
    }
  }
}
