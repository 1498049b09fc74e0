package org.relaxvm.vmcore.verify;

import java.util.List;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.TypeKeys;
import org.relaxvm.vmcore.executable.Executable;

/** Rules on the constant pool. Source: docs/spec/executable-format.md, section 9, rules 5 to 7. */
final class ConstantRules {
  private static final int MAX_RANK = 64;
  private static final int MAX_EXTENTS = 1 << 16;

  private final Executable executable;
  private final Report report;

  ConstantRules(Executable executable, Report report) {
    this.executable = executable;
    this.report = report;
  }

  void check() {
    List<Object> constants = executable.constants();
    for (int i = 0; i < constants.size(); i++) {
      constant(i, constants.get(i));
    }
    executable.memoryScopes().forEach(this::scope);
  }

  private void constant(int index, Object constant) {
    switch (constant) {
      case Long _, Double _, String _, DType _ -> {}
      case Shape shape -> {
        if (shape.rank() > MAX_EXTENTS) {
          report.constant(
              index,
              Rule.CONSTANT,
              "expected a shape of at most " + MAX_EXTENTS + " extents, but got " + shape.rank());
        }
      }
      case Tensor tensor -> {
        DType dtype = tensor.dtype();
        if (dtype.lanes() != 1 || dtype.bits() == 0 || tensor.shape().rank() > MAX_RANK) {
          report.constant(
              index,
              Rule.CONSTANT,
              "expected a tensor of at most "
                  + MAX_RANK
                  + " axes with one lane of 1 or more bits, but got "
                  + tensor.shape().rank()
                  + " axes and "
                  + dtype.lanes()
                  + " lanes of "
                  + dtype.bits()
                  + " bits");
        }
      }
      default ->
          report.constant(
              index,
              Rule.CONSTANT,
              "expected a tensor, shape, string, 64-bit integer, 64-bit float or data type, but got"
                  + " "
                  + TypeKeys.of(constant));
    }
  }

  private void scope(int index, String scope) {
    List<Object> constants = executable.constants();
    if (index < 0 || index >= constants.size()) {
      report.constant(
          index,
          Rule.MEMORY_SCOPE,
          "a memory scope belongs to a constant that is not there: expected 0 to "
              + (constants.size() - 1)
              + ", but got "
              + index);
    } else if (!scope.isEmpty() && !(constants.get(index) instanceof Tensor)) {
      report.constant(
          index,
          Rule.MEMORY_SCOPE,
          "only a tensor has a memory scope, but this is " + TypeKeys.of(constants.get(index)));
    }
  }
}
