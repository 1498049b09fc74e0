package org.relaxvm.api.kernels;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.DType;
import org.relaxvm.api.ScalarTag;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/** Checks one argument of a call against its signature. */
final class ArgumentCheck {
  private ArgumentCheck() {}

  static void check(KernelSignature signature, int index, CallArgs args) {
    KernelArgument argument = signature.arguments().get(index);
    Object value = args.ref(index);
    boolean fits =
        switch (argument.role()) {
          case INPUT, OUTPUT -> value instanceof Tensor;
          case OPTIONAL_INPUT -> value == null || value instanceof Tensor;
          case INPUT_LIST -> value instanceof Tuple;
          case INT, BOOL -> value == ScalarTag.INT || value == ScalarTag.BOOL;
          case OPTIONAL_INT -> value == null || value == ScalarTag.INT || value == ScalarTag.BOOL;
          case NUMBER -> value instanceof ScalarTag;
          case OPTIONAL_NUMBER -> value == null || value instanceof ScalarTag;
          case STRING -> value instanceof String;
          case SHAPE -> value instanceof Shape;
          case OPTIONAL_SHAPE -> value == null || value instanceof Shape;
        };
    if (!fits) {
      throw mismatch(signature, index, argument.role().text(), args.typeKeyAt(index));
    }
    if (value instanceof Tensor tensor) {
      checkDType(signature, index, tensor, args);
    } else if (value instanceof Tuple list && argument.role() == ArgumentRole.INPUT_LIST) {
      checkList(signature, index, list);
    }
  }

  private static void checkDType(
      KernelSignature signature, int index, Tensor tensor, CallArgs args) {
    KernelArgument argument = signature.arguments().get(index);
    DType dtype = tensor.dtype();
    if (!argument.dtypes().contains(dtype)) {
      throw mismatch(signature, index, "tensor of " + argument.dtypes().text(), tensor.toString());
    }
    String other = argument.sameDTypeAs();
    if (other != null) {
      DType expected = dtypeOf(args.ref(signature.indexOf(other)));
      if (expected != null && !expected.equals(dtype)) {
        throw mismatch(
            signature,
            index,
            "tensor of " + expected + ", the dtype of '" + other + "',",
            tensor.toString());
      }
    }
  }

  private static void checkList(KernelSignature signature, int index, Tuple list) {
    DTypeSet dtypes = signature.arguments().get(index).dtypes();
    DType first = dtypeOf(list);
    if (first == null) {
      throw mismatch(signature, index, "tuple of at least one tensor", list.toString());
    }
    for (int i = 0; i < list.size(); i++) {
      boolean fits =
          list.get(i) instanceof Tensor tensor
              && dtypes.contains(tensor.dtype())
              && tensor.dtype().equals(first);
      if (!fits) {
        throw mismatch(
            signature,
            index,
            "tuple of tensors of one dtype of " + dtypes.text(),
            "a tuple whose field " + i + " is " + list.get(i));
      }
    }
  }

  private static @Nullable DType dtypeOf(@Nullable Object value) {
    if (value instanceof Tuple list) {
      return list.size() > 0 ? dtypeOf(list.get(0)) : null;
    }
    return value instanceof Tensor tensor ? tensor.dtype() : null;
  }

  private static CallException mismatch(
      KernelSignature signature, int index, String expected, String got) {
    return new CallException(
        ErrorKind.TYPE,
        signature.name()
            + ": argument #"
            + index
            + " '"
            + signature.arguments().get(index).name()
            + "' must be "
            + ("aeiou".indexOf(expected.charAt(0)) >= 0 ? "an " : "a ")
            + expected
            + " but is "
            + got);
  }
}
