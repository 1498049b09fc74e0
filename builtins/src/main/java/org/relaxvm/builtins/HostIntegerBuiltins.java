package org.relaxvm.builtins;

import java.util.Map;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.DType;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.TypeCode;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/**
 * Integers and shapes in tensors, as the Relay VM keeps them.
 *
 * <p>Source: docs/spec/relay-register-vm.md, sections 4 and 16.
 */
final class HostIntegerBuiltins {
  private HostIntegerBuiltins() {}

  static Map<String, PackedFunc> functions() {
    return Map.of(
        "vm.builtin.int_equal", HostIntegerBuiltins::equal,
        "vm.builtin.int_equal_reg", HostIntegerBuiltins::equalAsInt32,
        "vm.builtin.tensor_to_int", HostIntegerBuiltins::toInt,
        "vm.builtin.shape_of_tensor", HostIntegerBuiltins::shapeOf,
        "vm.builtin.to_shape", HostIntegerBuiltins::toShape);
  }

  private static void equal(CallArgs args, CallResult result) {
    args.requireCount("vm.builtin.int_equal(x, value)", 2);
    result.setBoolean(HostIntegers.at(args, 0) == args.longAt(1));
  }

  /** The Relay VM of Apache TVM compares the low 32 bits. */
  private static void equalAsInt32(CallArgs args, CallResult result) {
    args.requireCount("vm.builtin.int_equal_reg(a, b)", 2);
    result.setBoolean((int) HostIntegers.at(args, 0) == (int) HostIntegers.at(args, 1));
  }

  private static void toInt(CallArgs args, CallResult result) {
    args.requireCount("vm.builtin.tensor_to_int(x)", 1);
    result.setLong(HostIntegers.at(args, 0));
  }

  private static void shapeOf(CallArgs args, CallResult result) {
    args.requireCount("vm.builtin.shape_of_tensor(tensor)", 1);
    Shape shape = args.tensorAt(0).shape();
    result.set(Tensor.of(shape.toArray(), Shape.of(shape.rank())));
  }

  private static void toShape(CallArgs args, CallResult result) {
    args.requireCount("vm.builtin.to_shape(x)", 1);
    if (args.ref(0) instanceof Tensor tensor) {
      requireShape(tensor);
      result.set(
          tensor.shape().rank() == 0
              ? Shape.scalar()
              : Shape.ofOwned(Devices.onHost(args, tensor).toLongArray()));
    } else {
      result.set(args.shapeAt(0));
    }
  }

  private static void requireShape(Tensor tensor) {
    DType dtype = tensor.dtype();
    boolean width = dtype.bits() == 16 || dtype.bits() == 32 || dtype.bits() == 64;
    if (tensor.shape().rank() > 1 || dtype.code() != TypeCode.INT || dtype.lanes() != 1 || !width) {
      throw new CallException(
          ErrorKind.VALUE,
          "a tensor that holds a shape is of int16, int32 or int64 and of rank 1, or 0 for the"
              + " shape of a scalar, but got "
              + tensor);
    }
  }
}
