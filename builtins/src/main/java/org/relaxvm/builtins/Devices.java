package org.relaxvm.builtins;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.VmContext;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.spi.Device;

/**
 * The devices of the VM that a builtin is called by, and copies that are in order with its work.
 */
final class Devices {
  /** What {@link VmContext#allocator} takes for the host. */
  static final int HOST = -1;

  private Devices() {}

  /**
   * The index of the device with DLPack's type code and a number.
   *
   * @throws CallException a {@code ValueError} that lists the VM's devices when it has no such one
   */
  static int indexOf(VmContext vm, long typeCode, long ordinal) {
    int index = vm.indexOf(typeCode, ordinal);
    if (index >= 0) {
      return index;
    }
    throw new CallException(
        ErrorKind.VALUE,
        "the VM has no device with type "
            + typeCode
            + " and id "
            + ordinal
            + "\n  its devices are "
            + describe(vm.devices()));
  }

  /** The devices with the numbers that programs use, such as {@code cuda:0 (type 2, id 0)}. */
  static String describe(List<Device> devices) {
    StringBuilder text = new StringBuilder();
    for (Device device : devices) {
      text.append(text.isEmpty() ? "" : ", ")
          .append(device)
          .append(" (type ")
          .append(device.id().typeCode())
          .append(", id ")
          .append(device.id().ordinal())
          .append(')');
    }
    return text.toString();
  }

  /**
   * The tensor itself when it is on the host, else a host copy that contains the work of this call
   * so far and is held by the garbage collector.
   */
  static Tensor onHost(CallArgs args, Tensor tensor) {
    if (tensor.device().isHost()) {
      return tensor;
    }
    finishWork(args.contextOrNull(), tensor.device());
    return tensor.toHost();
  }

  /** A compact copy with memory of its own on the same device. */
  static Tensor copyOf(CallArgs args, Tensor tensor) {
    VmContext vm = args.contextOrNull();
    if (vm == null && tensor.device().isHost()) {
      return tensor.toHost();
    }
    return copyTo(args.context(), tensor, indexIn(args.context(), tensor.device()), "");
  }

  /** A compact copy on a device of the VM. */
  static Tensor copyTo(VmContext vm, Tensor source, int deviceIndex, String scope) {
    finishWork(vm, source.device());
    Tensor target = DeviceMemories.allocate(vm, source.dtype(), source.shape(), deviceIndex, scope);
    // The block may come from a pool, with work of this call still under way in it.
    vm.stream(deviceIndex).synchronize();
    boolean done = false;
    try {
      source.copyInto(target);
      done = true;
      return target;
    } finally {
      if (!done) {
        target.close();
      }
    }
  }

  /** A compact tensor without defined elements on the device of another one. */
  static Tensor allocateLike(CallArgs args, Tensor model, Shape shape) {
    VmContext vm = args.contextOrNull();
    return vm == null && model.device().isHost()
        ? Tensor.zeros(model.dtype(), shape)
        : DeviceMemories.allocate(
            args.context(), model.dtype(), shape, indexIn(args.context(), model.device()), "");
  }

  /** A compact tensor without defined elements on the first device of the VM. */
  static Tensor allocate(CallArgs args, DType dtype, Shape shape) {
    VmContext vm = args.contextOrNull();
    return vm == null
        ? Tensor.zeros(dtype, shape)
        : DeviceMemories.allocate(vm, dtype, shape, 0, "");
  }

  /** Copies elements after the work of this call so far. */
  static void copyInto(CallArgs args, Tensor source, Tensor target) {
    VmContext vm = args.contextOrNull();
    finishWork(vm, source.device());
    if (!target.device().equals(source.device())) {
      finishWork(vm, target.device());
    }
    source.copyInto(target);
  }

  private static int indexIn(VmContext vm, Device device) {
    return device.isHost() ? HOST : vm.indexOf(device);
  }

  private static void finishWork(@Nullable VmContext vm, Device device) {
    if (vm == null || device.isHost()) {
      return;
    }
    int index = vm.indexOf(device);
    if (index >= 0) {
      vm.stream(index).synchronize();
    }
  }
}
