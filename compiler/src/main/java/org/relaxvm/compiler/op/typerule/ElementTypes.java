package org.relaxvm.compiler.op.typerule;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.op.OpCall;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.tir.expr.DTypes;

/** Dtypes of tensors. Those that are not known are taken for right. */
public final class ElementTypes {
  private ElementTypes() {}

  /**
   * The dtype that operands have in common; empty when that of one is not known.
   *
   * @throws org.relaxvm.api.error.InvalidProgramException when two are different
   */
  public static Optional<DType> same(OpCall call, List<Operand> operands) {
    Operand known = null;
    boolean isKnown = true;
    for (Operand operand : operands) {
      if (operand.type().dtype().isEmpty()) {
        isKnown = false;
      } else if (known == null) {
        known = operand;
      } else if (!operand.type().dtype().equals(known.type().dtype())) {
        throw call.typeError(
            "expected one dtype, but " + text(known) + " and " + text(operand) + "; use astype");
      }
    }
    return isKnown && known != null ? known.type().dtype() : Optional.empty();
  }

  private static String text(Operand operand) {
    return operand.name() + " is " + operand.type().dtype().orElseThrow();
  }

  /** An argument that is a tensor of floats of 16 bits or more. */
  public static TensorType floats(OpCall call, int index) {
    return require(call, index, ElementTypes::isFloat, "a tensor of floats");
  }

  /** An argument that is a tensor of integers; booleans are none. */
  public static TensorType integers(OpCall call, int index) {
    return require(call, index, DTypes::isInteger, "a tensor of integers");
  }

  /** An argument that is a tensor of integers or of floats of 16 bits or more. */
  public static TensorType numbers(OpCall call, int index) {
    return require(call, index, ElementTypes::isNumber, "a tensor of numbers");
  }

  /** An argument that is a tensor of booleans. */
  public static TensorType booleans(OpCall call, int index) {
    return require(call, index, DType.BOOL::equals, "a tensor of booleans");
  }

  /** Whether values are integers, or floats that operators compute with. */
  public static boolean isNumber(DType dtype) {
    return isFloat(dtype) || DTypes.isInteger(dtype);
  }

  /** Whether values are floats that operators compute with: those of 8 bits are cast first. */
  public static boolean isFloat(DType dtype) {
    return dtype.isFloat() && !dtype.isFloat8();
  }

  /** An argument that is a tensor of a dtype of a set. */
  public static TensorType require(OpCall call, int index, Predicate<DType> set, String expected) {
    TensorType tensor = call.tensor(index);
    if (tensor.dtype().isPresent() && !set.test(tensor.dtype().get())) {
      boolean isStored = tensor.dtype().get().isFloat8();
      throw call.wrong(index, isStored ? expected + ", which float8 becomes by astype" : expected);
    }
    return tensor;
  }
}
