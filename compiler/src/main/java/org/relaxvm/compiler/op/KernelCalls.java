package org.relaxvm.compiler.op;

import java.util.List;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/** Makes kernels, adds them to the module, and calls them. */
public interface KernelCalls {
  /**
   * A call of a kernel that computes a call of an operator, from its arguments, with its type.
   *
   * @param hint the name of the kernel, made unique
   */
  default Expr call(String hint, OpCall call, KernelBody body) {
    return call(hint, call.call().args(), call.call().type(), body);
  }

  /**
   * A call of a kernel.
   *
   * @param hint the name of the kernel, made unique
   * @param args tensors, shapes, scalars, and tuples of them
   * @param result a tensor of known shape and dtype, or a tuple of such: one for each output
   */
  Expr call(String hint, List<Expr> args, Type result, KernelBody body);

  /** Binds an expression to a new variable in front of the call, for what needs several steps. */
  RelaxVar emit(Expr value);

  /** Binds a value to a new variable that is of a type, which is checked when the program runs. */
  RelaxVar emitMatchCast(Expr value, Type type);

  /** Describes the outputs of a kernel. */
  @FunctionalInterface
  interface KernelBody {
    /**
     * The outputs, in order.
     *
     * @param k has no outputs so far
     * @param inputs the arguments as the kernel sees them
     */
    List<TensorExpr> outputs(KernelBuilder k, KernelInputs inputs);

    /** The body of a kernel with one output. */
    static KernelBody one(OneOutput body) {
      return (k, inputs) -> List.of(body.output(k, inputs));
    }
  }

  /** Describes the only output of a kernel. */
  @FunctionalInterface
  interface OneOutput {
    /** The output. */
    TensorExpr output(KernelBuilder k, KernelInputs inputs);
  }
}
