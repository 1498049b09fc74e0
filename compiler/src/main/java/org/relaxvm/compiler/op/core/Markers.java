package org.relaxvm.compiler.op.core;

import java.util.List;
import org.relaxvm.compiler.op.OpDef;

/**
 * Operators that return their argument. They mark it for passes of Apache TVM that take gradients
 * or move the computation of parameters; compiled programs do nothing for them.
 *
 * <p>Source: docs/spec/op-set.md, section 2.10.
 */
public final class Markers {
  /** No gradient is taken of the value. */
  public static final OpDef NO_GRAD = marker("grad.no_grad");

  /** What follows is computed again where gradients need it. */
  public static final OpDef START_CHECKPOINT = marker("grad.start_checkpoint");

  /** The end of what is computed again. */
  public static final OpDef END_CHECKPOINT = marker("grad.end_checkpoint");

  /** What is computed from the value is not computed ahead of the program. */
  public static final OpDef STOP_LIFT_PARAMS = marker("builtin.stop_lift_params");

  private Markers() {}

  /** All of them. */
  public static List<OpDef> all() {
    return List.of(NO_GRAD, START_CHECKPOINT, END_CHECKPOINT, STOP_LIFT_PARAMS);
  }

  private static OpDef marker(String name) {
    return OpDef.named(name)
        .args("x")
        .rule(call -> call.type(0))
        .legalizer((call, kernels) -> call.arg(0))
        .withoutArgShapes()
        .build();
  }
}
