package org.relaxvm.compiler.op.elementwise;

import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.op.KernelCalls.KernelBody;
import org.relaxvm.compiler.op.Legalizer;
import org.relaxvm.compiler.op.OpCall;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.TypeRule;
import org.relaxvm.compiler.op.typerule.ElementTypes;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/** Definitions of operators on one tensor that keep its shape. */
final class UnaryDef {
  /** The name of the tensor that a kernel computes. */
  static final String OUTPUT = "compute";

  private UnaryDef() {}

  /** What a kernel computes. */
  interface Body {
    TensorExpr of(KernelBuilder k, String name, TensorExpr x);
  }

  /** What a kernel computes with the attributes of a call. */
  interface BodyOfCall {
    TensorExpr of(OpCall call, KernelBuilder k, String name, TensorExpr x);
  }

  static OpDef of(String name, String kernel, TypeRule rule, Body body) {
    return OpDef.named(name).args("x").rule(rule).legalizer(kernel(kernel, body)).build();
  }

  static Legalizer kernel(String name, Body body) {
    return kernel(name, (call, k, output, x) -> body.of(k, output, x));
  }

  static Legalizer kernel(String name, BodyOfCall body) {
    return (call, kernels) ->
        kernels.call(name, call, KernelBody.one((k, in) -> body.of(call, k, OUTPUT, in.tensor(0))));
  }

  /** The rule of what is for floats and gives its dtype. */
  static TypeRule floats() {
    return call -> ElementTypes.floats(call, 0);
  }

  /** The rule of what is for numbers and gives its dtype. */
  static TypeRule numbers() {
    return call -> ElementTypes.numbers(call, 0);
  }

  /** The rule of a question about elements. */
  static TypeRule test() {
    return call -> call.tensor(0).withDType(Optional.of(DType.BOOL));
  }
}
