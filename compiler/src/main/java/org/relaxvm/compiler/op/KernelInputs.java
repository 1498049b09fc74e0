package org.relaxvm.compiler.op;

import java.util.List;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.te.TensorExpr;

/**
 * The arguments of a call as its kernel sees them: with symbolic variables of its own. A variable
 * that no tensor's extent says becomes a scalar parameter of the kernel.
 */
public interface KernelInputs {
  /** An argument that is a tensor. */
  TensorExpr tensor(int index);

  /** The fields of an argument that is a tuple of tensors. */
  List<TensorExpr> tensors(int index);

  /** An argument that is a shape. */
  List<PrimExpr> shape(int index);

  /** An argument that is a scalar. */
  PrimExpr scalar(int index);

  /** The fields of an argument that is a tuple of scalars. */
  List<PrimExpr> scalars(int index);

  /** The number of arguments. */
  int size();

  /** An expression of the program as the kernel sees it. */
  PrimExpr of(PrimExpr expr);

  /** The extents of an output as the kernel sees them. */
  List<PrimExpr> resultDims(int output);

  /** The type of an output, with the extents as the program has them. */
  TensorType resultType(int output);
}
