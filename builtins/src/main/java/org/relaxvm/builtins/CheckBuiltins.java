package org.relaxvm.builtins;

import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.Closure;
import org.relaxvm.api.DType;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.ScalarTag;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.TypeKeys;
import org.relaxvm.api.VmContext;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/** Checks of arguments and results against the struct info that a program declares. */
final class CheckBuiltins {
  static final int ANY_RANK = -1;

  private CheckBuiltins() {}

  static Map<String, PackedFunc> functions() {
    return Map.of(
        "vm.builtin.check_tensor_info",
            new WithDirectForms(CheckBuiltins::checkTensorInfo, DirectTensors::checkTensorInfo),
        "vm.builtin.check_shape_info", CheckBuiltins::checkShapeInfo,
        "vm.builtin.check_prim_value_info", CheckBuiltins::checkPrimValueInfo,
        "vm.builtin.check_tuple_info", CheckBuiltins::checkTupleInfo,
        "vm.builtin.check_func_info", CheckBuiltins::checkFuncInfo);
  }

  private static void checkTensorInfo(CallArgs args, CallResult result) {
    boolean typed = args.count() == 4;
    if (!typed) {
      args.requireCount("vm.builtin.check_tensor_info(x, ndim[, dtype], err_ctx)", 3);
    }
    int context = typed ? 3 : 2;
    long rank = args.longAt(1);
    if (!(args.ref(0) instanceof Tensor tensor)) {
      throw notA("Tensor", args, context);
    }
    if (rank != ANY_RANK && rank != tensor.shape().rank()) {
      throw ErrorContext.error(
          ErrorKind.VALUE,
          args,
          context,
          "the tensor has " + dimensions(tensor.shape().rank()) + ", expected " + rank,
          " expect Tensor with ndim " + rank + " but get " + tensor.shape().rank());
    }
    if (typed && !args.isNull(2)) {
      DType dtype = args.dtypeAt(2);
      if (!dtype.equals(tensor.dtype())) {
        throw ErrorContext.error(
            ErrorKind.VALUE,
            args,
            context,
            "the tensor is of " + tensor.dtype() + ", expected " + dtype,
            " expect Tensor with dtype " + dtype + " but get " + tensor.dtype());
      }
    }
  }

  private static void checkShapeInfo(CallArgs args, CallResult result) {
    args.requireCount("vm.builtin.check_shape_info(x, ndim, err_ctx)", 3);
    long rank = args.longAt(1);
    if (!(args.ref(0) instanceof Shape shape)) {
      throw notA("Shape", args, 2);
    }
    if (rank != ANY_RANK && rank != shape.rank()) {
      throw ErrorContext.error(
          ErrorKind.VALUE,
          args,
          2,
          "the shape has " + dimensions(shape.rank()) + ", expected " + rank,
          " expect Shape with ndim " + rank + " but get " + shape.rank());
    }
  }

  private static void checkPrimValueInfo(CallArgs args, CallResult result) {
    args.requireCount("vm.builtin.check_prim_value_info(x, dtype, err_ctx)", 3);
    Object value = args.ref(0);
    DType dtype = args.dtypeAt(1);
    if (isObject(value)) {
      throw ErrorContext.error(
          ErrorKind.TYPE,
          args,
          2,
          "it is " + TypeKeys.describe(value) + ", expected a number of " + name(dtype),
          ", expected dtype " + dtype + ", but received ObjectRef of type " + args.typeKeyAt(0));
    }
    if (dtype.equals(DType.VOID)) {
      throw unsupported(args, dtype);
    }
    switch (dtype.code()) {
      case BOOL -> requireCast(value == ScalarTag.BOOL || value == ScalarTag.INT, args, "bool");
      case INT, UINT -> requireCast(value == ScalarTag.BOOL || value == ScalarTag.INT, args, "int");
      case FLOAT -> requireCast(value instanceof ScalarTag, args, "float");
      case HANDLE -> requireCast(value == null || value instanceof VmContext, args, "void*");
      default -> throw unsupported(args, dtype);
    }
  }

  private static void checkTupleInfo(CallArgs args, CallResult result) {
    args.requireCount("vm.builtin.check_tuple_info(x, size, err_ctx)", 3);
    long size = args.longAt(1);
    if (!(args.ref(0) instanceof Tuple tuple)) {
      throw notA("Tuple", args, 2);
    }
    if (size != tuple.size()) {
      throw ErrorContext.error(
          ErrorKind.VALUE,
          args,
          2,
          "the tuple has "
              + tuple.size()
              + (tuple.size() == 1 ? " field" : " fields")
              + ", expected "
              + size,
          " expect a Tuple with "
              + size
              + " elements,  but get a Tuple with "
              + tuple.size()
              + " elements.");
    }
  }

  private static void checkFuncInfo(CallArgs args, CallResult result) {
    args.requireCount("vm.builtin.check_func_info(x, err_ctx)", 2);
    Object value = args.ref(0);
    if (!(value instanceof PackedFunc || value instanceof Closure)) {
      throw notA("Function", args, 1);
    }
  }

  /** Whether a value is an object in TVM's sense: neither a scalar, nor a dtype, nor a pointer. */
  private static boolean isObject(@Nullable Object value) {
    return !(value == null
        || value instanceof ScalarTag
        || value instanceof DType
        || value instanceof VmContext);
  }

  private static void requireCast(boolean possible, CallArgs args, String type) {
    if (!possible) {
      String key = args.typeKeyAt(0);
      throw new CallException(
              ErrorKind.TYPE,
              ErrorContext.message(
                  ErrorContext.at(args, 2),
                  "it is "
                      + TypeKeys.describeKey(key)
                      + ", expected "
                      + TypeKeys.describeKey(type)))
          .withTvmMessage("Cannot convert from type `" + key + "` to `" + type + "`");
    }
  }

  private static CallException unsupported(CallArgs args, DType dtype) {
    return ErrorContext.error(
        ErrorKind.TYPE,
        args,
        2,
        "a number cannot be of the declared type '" + name(dtype) + "'",
        ", unsupported dtype " + dtype);
  }

  private static String name(DType dtype) {
    return dtype.equals(DType.VOID) ? "void" : dtype.toString();
  }

  private static CallException notA(String expected, CallArgs args, int context) {
    String key = args.typeKeyAt(0);
    return ErrorContext.error(
        ErrorKind.TYPE,
        args,
        context,
        "it is " + TypeKeys.describeKey(key) + ", expected a " + expected.toLowerCase(Locale.ROOT),
        " expect a " + expected + " but get " + key);
  }

  private static String dimensions(int rank) {
    return rank == 1 ? "1 dimension" : rank + " dimensions";
  }
}
