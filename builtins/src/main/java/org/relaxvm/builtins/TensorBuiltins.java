package org.relaxvm.builtins;

import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.DType;
import org.relaxvm.api.Managed;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Storage;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.TypeCode;
import org.relaxvm.api.TypeKeys;
import org.relaxvm.api.VmContext;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.host.HostDevice;

/** Views and copies of tensors, and the way between tensors and shapes. */
final class TensorBuiltins {
  private static final Predicate<@Nullable Object> HOLDS_TENSORS =
      value -> value instanceof Tensor || value instanceof Tuple;

  private TensorBuiltins() {}

  static Map<String, PackedFunc> functions() {
    return Map.of(
        "relaxvm.on_device",
        TensorBuiltins::onDevice,
        "vm.builtin.reshape",
        new WithDirectForms(TensorBuiltins::reshape, DirectTensors::reshape),
        "runtime.TVMTensorCreateView",
        TensorBuiltins::createView,
        "vm.builtin.copy",
        Moves.COPY,
        "vm.builtin.shape_of",
        new WithDirectForms(TensorBuiltins::shapeOf, DirectTensors::shapeOf),
        "vm.builtin.tensor_to_shape",
        TensorBuiltins::tensorToShape,
        "vm.builtin.ensure_zero_offset",
        TensorBuiltins::ensureZeroOffset,
        "vm.builtin.to_device",
        TensorBuiltins::toDevice);
  }

  private static void reshape(CallArgs args, CallResult result) {
    args.requireCount("vm.builtin.reshape(tensor, shape)", 2);
    result.set(args.tensorAt(0).reshape(args.shapeAt(1)));
  }

  /** What is null or an empty tuple is that of the tensor. */
  private static void createView(CallArgs args, CallResult result) {
    args.requireCount("runtime.TVMTensorCreateView(tensor, shape, dtype, relative_byte_offset)", 4);
    Tensor tensor = args.tensorAt(0);
    Shape shape = isGiven(args, 1) ? args.shapeAt(1) : tensor.shape();
    DType dtype = isGiven(args, 2) ? args.dtypeAt(2) : tensor.dtype();
    long offset = isGiven(args, 3) ? args.longAt(3) : 0;
    result.set(tensor.reinterpret(shape, dtype, offset));
  }

  private static boolean isGiven(CallArgs args, int index) {
    boolean isNothing =
        args.isNull(index) || (args.ref(index) instanceof Tuple tuple && tuple.size() == 0);
    return !isNothing;
  }

  private static void shapeOf(CallArgs args, CallResult result) {
    args.requireCount("vm.builtin.shape_of(tensor)", 1);
    if (!(args.ref(0) instanceof Tensor tensor)) {
      String key = args.typeKeyAt(0);
      throw new CallException(
              ErrorKind.TYPE,
              "argument #0 of vm.builtin.shape_of must be a tensor, but is "
                  + TypeKeys.describeKey(key))
          .withTvmMessage("vm.builtin.shape_of expects a Tensor or DLTensor*, but get " + key);
    }
    result.set(tensor.shape());
  }

  private static void tensorToShape(CallArgs args, CallResult result) {
    args.requireCount("vm.builtin.tensor_to_shape(tensor)", 1);
    Tensor tensor = args.tensorAt(0);
    DType dtype = tensor.dtype();
    if (tensor.shape().rank() != 1) {
      throw new CallException(
          ErrorKind.VALUE, "a tensor that holds a shape has rank 1, but got " + tensor);
    }
    boolean width = dtype.bits() == 16 || dtype.bits() == 32 || dtype.bits() == 64;
    if (dtype.code() != TypeCode.INT || dtype.lanes() != 1 || !width) {
      throw new CallException(
              ErrorKind.INTERNAL,
              "a tensor that holds a shape cannot be of "
                  + dtype
                  + "\n  expected: int16, int32 or int64")
          .withTvmMessage("Unknown scalar int type: " + dtype);
    }
    result.set(Shape.ofOwned(Devices.onHost(args, tensor).toLongArray()));
  }

  private static void ensureZeroOffset(CallArgs args, CallResult result) {
    args.requireCount("vm.builtin.ensure_zero_offset(tensor)", 1);
    Tensor tensor = args.tensorAt(0);
    if (tensor.byteOffset() == 0) {
      result.setArgument(args, 0);
    } else if (tensor.device().isHost()
        && tensor.byteOffset() % HostDevice.ALIGNMENT == 0
        && tensor.isContiguous()) {
      result.set(fromItsOwnStart(tensor));
    } else {
      result.set(Devices.copyOf(args, tensor));
    }
  }

  private static Tensor fromItsOwnStart(Tensor tensor) {
    Storage tail = tensor.storage().hostTail(tensor.byteOffset());
    try {
      return Tensor.view(tail, 0, tensor.dtype(), tensor.shape());
    } finally {
      tail.release();
    }
  }

  private static void toDevice(CallArgs args, CallResult result) {
    String scope = "global";
    if (args.count() == 4) {
      scope = args.stringAt(3);
    } else {
      args.requireCount("vm.builtin.to_device(tensor, type, id[, scope])", 3);
    }
    VmContext vm = args.context();
    int index = Devices.indexOf(vm, args.longAt(1), args.longAt(2));
    result.set(Devices.copyTo(vm, args.tensorAt(0), index, scope));
  }

  private static void onDevice(CallArgs args, CallResult result) {
    args.requireCount("relaxvm.on_device(value)", 1);
    VmContext vm = args.contextOrNull();
    if (vm == null || vm.devices().getFirst().isHost()) {
      result.setArgument(args, 0);
    } else {
      result.set(onDevice(vm, args.at(0)));
    }
  }

  /** The value with an owner, its tensors on the first device of the VM. */
  private static @Nullable Object onDevice(VmContext vm, @Nullable Object value) {
    if (value instanceof Tensor tensor && !tensor.device().equals(vm.devices().getFirst())) {
      return Devices.copyTo(vm, tensor, 0, "");
    }
    if (value instanceof Tuple tuple && tuple.fields().stream().anyMatch(HOLDS_TENSORS)) {
      return Tuple.ofOwned(tuple.fields().stream().map(field -> onDevice(vm, field)).toArray());
    }
    Managed.retain(value);
    return value;
  }
}
