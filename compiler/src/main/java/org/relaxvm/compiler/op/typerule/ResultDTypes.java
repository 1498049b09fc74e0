package org.relaxvm.compiler.op.typerule;

import java.util.List;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.op.OpCall;

/** Dtypes of results that an attribute may say. */
public final class ResultDTypes {
  private ResultDTypes() {}

  /** The dtype that an attribute says; empty when it is absent or {@code void}. */
  public static Optional<DType> given(OpCall call, String attr) {
    return call.attrs().dtype(attr).filter(dtype -> !dtype.equals(DType.VOID));
  }

  /**
   * What the attribute {@code out_dtype} says; where it is absent, the dtype that operands have in
   * common.
   *
   * @throws org.relaxvm.api.error.InvalidProgramException when the attribute says no dtype of
   *     numbers; where it is absent, when two operands have different dtypes
   */
  public static Optional<DType> of(OpCall call, List<Operand> operands) {
    Optional<DType> given = given(call, "out_dtype");
    if (given.isEmpty()) {
      return ElementTypes.same(call, operands);
    }
    return given.map(dtype -> requireNumber(call, "out_dtype", dtype));
  }

  /** Refuses a dtype of an attribute that is neither of integers nor of floats. */
  public static DType requireNumber(OpCall call, String attr, DType dtype) {
    if (!ElementTypes.isNumber(dtype)) {
      throw call.typeError(attr + " must be a dtype of numbers, but is " + dtype);
    }
    return dtype;
  }
}
