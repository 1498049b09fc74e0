package org.relaxvm.builtins;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.DType;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.ScalarTag;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.TypeCode;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/** Reading the condition of a branch. */
final class ControlBuiltins {
  private ControlBuiltins() {}

  static Map<String, PackedFunc> functions() {
    return Map.of(
        "vm.builtin.read_if_cond",
        new WithDirectForms(ControlBuiltins::readIfCond, DirectTensors::readIfCond));
  }

  private static void readIfCond(CallArgs args, CallResult result) {
    args.requireCount("vm.builtin.read_if_cond(cond)", 1);
    Object ref = args.ref(0);
    boolean scalar = ref == ScalarTag.BOOL || ref == ScalarTag.INT;
    result.setBoolean(scalar ? args.bits(0) != 0 : readFirst(args, args.tensorAt(0)));
  }

  private static boolean readFirst(CallArgs args, Tensor tensor) {
    requireCondition(tensor, tensor.dtype());
    return isNonZero(Devices.onHost(args, tensor).segment(), tensor.dtype());
  }

  /** Whether the first element of a host tensor is not 0. */
  static boolean isNonZero(Tensor tensor) {
    requireCondition(tensor, tensor.dtype());
    return isNonZero(tensor.segment(), tensor.dtype());
  }

  private static void requireCondition(Tensor tensor, DType dtype) {
    boolean readable = dtype.isInteger() || (dtype.code() == TypeCode.BOOL && dtype.lanes() == 1);
    boolean width =
        switch (dtype.bits()) {
          case 1, 8, 16, 32, 64 -> true;
          default -> false;
        };
    if (!readable || !width) {
      throw new CallException(
              ErrorKind.INTERNAL,
              "a condition cannot be a tensor of "
                  + dtype
                  + "\n  expected: a boolean, an integer, or a tensor of bool, int or uint with 1,"
                  + " 8, 16, 32 or 64 bits")
          .withTvmMessage("Unknown scalar int type: " + dtype);
    }
    if (tensor.elementCount() == 0) {
      throw new CallException(
          ErrorKind.VALUE, "a condition needs one element, but the tensor is empty: " + tensor);
    }
  }

  private static boolean isNonZero(MemorySegment element, DType dtype) {
    return switch (dtype.bits()) {
      case 1 -> (element.get(ValueLayout.JAVA_BYTE, 0) & 1) != 0;
      case 8 -> element.get(ValueLayout.JAVA_BYTE, 0) != 0;
      case 16 -> element.get(ValueLayout.JAVA_SHORT_UNALIGNED, 0) != 0;
      case 32 -> element.get(ValueLayout.JAVA_INT_UNALIGNED, 0) != 0;
      default -> element.get(ValueLayout.JAVA_LONG_UNALIGNED, 0) != 0;
    };
  }
}
