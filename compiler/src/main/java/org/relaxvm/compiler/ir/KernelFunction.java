package org.relaxvm.compiler.ir;

import java.util.List;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.type.AnyType;
import org.relaxvm.compiler.type.FuncType;
import org.relaxvm.compiler.type.PrimType;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.Param;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Var;

/**
 * A kernel as a function of a module.
 *
 * @param kernel its name is that of the function in the module
 */
public record KernelFunction(PrimFunc kernel) implements ModuleFunction {
  /**
   * What a direct call is: an impure one with a tensor for each buffer, outputs too. A call through
   * {@code call_tir} is pure.
   */
  @Override
  public FuncType functionType() {
    List<Type> params = kernel.params().stream().map(KernelFunction::type).toList();
    boolean isVoid = kernel.returnType().equals(DType.VOID);
    Type result = isVoid ? TupleType.VOID : new PrimType(kernel.returnType());
    return FuncType.of(params, result, false);
  }

  private static Type type(Param param) {
    return switch (param) {
      case Param.OfBuffer(Buffer buffer) -> TensorType.of(buffer.dtype(), buffer.shape());
      case Param.OfScalar(Var scalar) -> new PrimType(scalar.dtype());
      case Param.OfHandle handle -> AnyType.ANY;
    };
  }
}
