package org.relaxvm.backendtestkit;

import static org.assertj.core.api.Assertions.fail;

import java.util.Arrays;
import org.relaxvm.api.DType;
import org.relaxvm.api.Tensor;
import org.relaxvm.backendtestkit.definition.Definition;
import org.relaxvm.backendtestkit.definition.ElementBits;
import org.relaxvm.backendtestkit.definition.Indices;
import org.relaxvm.backendtestkit.definition.MemoryOperand;

/** Compares a tensor with its definition, to the precision of its dtype. */
final class Expected {
  private Expected() {}

  static void check(Tensor actual, Definition.ElementFunction definition, String call) {
    DType dtype = actual.dtype();
    MemoryOperand elements = MemoryOperand.of(actual);
    Indices.forEach(
        actual.shape(),
        index -> {
          long got = elements.bitsAt(index);
          long wanted = ElementBits.stored(definition.at(index), dtype);
          if (!equal(got, wanted, dtype)) {
            fail(
                "%s: element %s of %s is %s, but by definition %s",
                call,
                Arrays.toString(index),
                actual,
                ElementBits.toDouble(got, dtype),
                ElementBits.toDouble(wanted, dtype));
          }
        });
  }

  private static boolean equal(long got, long wanted, DType dtype) {
    if (!dtype.isFloat()) {
      return got == wanted;
    }
    double a = Double.longBitsToDouble(got);
    double b = Double.longBitsToDouble(wanted);
    return a == b
        || (Double.isNaN(a) && Double.isNaN(b))
        || Math.abs(a - b) <= tolerance(dtype) * Math.max(1, Math.abs(b));
  }

  private static double tolerance(DType dtype) {
    return switch (dtype.toString()) {
      case "float64" -> 1e-12;
      case "float32" -> 1e-5;
      case "float16" -> 2e-3;
      default -> 1e-2;
    };
  }
}
