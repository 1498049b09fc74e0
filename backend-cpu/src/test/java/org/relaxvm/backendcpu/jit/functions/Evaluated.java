package org.relaxvm.backendcpu.jit.functions;

import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.scalar.FloatFunctions;
import org.relaxvm.tir.scalar.IntegerFunctions;

/** The functions of the evaluator, under a name that no writer has. */
final class Evaluated {
  private Evaluated() {}

  static double apply(Intrinsic op, double x) {
    return FloatFunctions.apply(op, x);
  }

  static double apply(Intrinsic op, double x, double y) {
    return FloatFunctions.apply(op, x, y);
  }

  static boolean test(Intrinsic op, double x) {
    return FloatFunctions.test(op, x);
  }

  static long apply(Intrinsic op, DType dtype, long x) {
    return IntegerFunctions.apply(op, dtype, x);
  }

  static long apply(Intrinsic op, DType dtype, long x, long y) {
    return IntegerFunctions.apply(op, dtype, x, y);
  }
}
