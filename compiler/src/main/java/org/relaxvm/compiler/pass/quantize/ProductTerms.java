package org.relaxvm.compiler.pass.quantize;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.builder.BlockBuilder;
import org.relaxvm.compiler.ir.Constant;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.op.elementwise.Arithmetic;
import org.relaxvm.compiler.op.elementwise.Conversions;
import org.relaxvm.compiler.op.shape.Orders;
import org.relaxvm.compiler.op.shape.Reshapes;
import org.relaxvm.compiler.pass.quantize.QuantizedOperand.Parameter;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/**
 * Emits what products of integers are made of.
 *
 * @param lookup finds what variables are bound to
 */
record ProductTerms(BlockBuilder builder, Function<RelaxVar, Optional<Expr>> lookup) {
  /** The largest sum of products that int32 holds. */
  private static final long LARGEST_SUM = Integer.MAX_VALUE;

  /** Whether sums of so many products do not overflow. */
  static boolean fits(List<PrimExpr> summed, QuantizedOperand a, QuantizedOperand b) {
    double sum = (double) a.largest() * b.largest();
    for (PrimExpr extent : summed) {
      if (!(extent instanceof IntImm known)) {
        return false;
      }
      sum *= known.value();
    }
    return sum <= LARGEST_SUM;
  }

  /** An operand that is quantized; empty for others. */
  Optional<QuantizedOperand> operand(Expr expr) {
    return QuantizedOperand.of(expr, lookup, builder::emit);
  }

  /** What a variable is bound to, or the expression itself. */
  Expr known(Expr expr) {
    return expr instanceof RelaxVar var ? lookup.apply(var).orElse(expr) : expr;
  }

  /** The extent of an axis of a constant, as a constant. */
  Expr rows(Expr constant, int axis) {
    PrimExpr extent = ((TensorType) constant.type()).dims().orElseThrow().get(axis);
    return new Constant(Tensor.of(new int[] {(int) ((IntImm) extent).value()}, Shape.of()));
  }

  Expr emit(Expr value) {
    return builder.emit(value);
  }

  /** The integers, with the axes in the order of the operand. */
  Expr integers(QuantizedOperand operand) {
    return operand.isInOrder()
        ? operand.q()
        : emit(Orders.permuteDims(operand.q(), operand.order().toArray(new Integer[0])));
  }

  /**
   * A parameter so that it broadcasts to a result.
   *
   * @param axesAfter how many axes the result has after that of the parameter
   */
  Expr placed(Parameter parameter, int axesAfter, DType dtype) {
    Expr value = parameter.value();
    TensorType type = (TensorType) value.type();
    List<PrimExpr> shape = new ArrayList<>();
    if (!parameter.isForAll()) {
      shape.addAll(
          type.dims().orElseThrow().stream().filter(n -> !n.equals(IntImm.of(1))).toList());
      shape.addAll(Collections.nCopies(axesAfter, IntImm.of(1)));
    }
    Expr reshaped =
        type.dims().orElseThrow().equals(shape)
            ? value
            : emit(Reshapes.reshape(value, new ShapeExpr(shape)));
    return as(reshaped, dtype);
  }

  Expr as(Expr value, DType dtype) {
    return ((TensorType) value.type()).dtype().filter(dtype::equals).isPresent()
        ? value
        : emit(Conversions.astype(value, dtype));
  }

  Expr minus(Expr sum, Expr factor, Expr other) {
    return emit(Arithmetic.subtract(sum, emit(Arithmetic.multiply(factor, other))));
  }

  /** {@code sum * a * b} in a dtype; the sum itself where there are no scales. */
  Expr scaled(Expr sum, Optional<Expr> a, Optional<Expr> b, DType dtype) {
    if (a.isEmpty() || b.isEmpty()) {
      return sum;
    }
    Expr scale = emit(Arithmetic.multiply(a.get(), b.get()));
    return as(emit(Arithmetic.multiply(as(sum, DType.FLOAT32), scale)), dtype);
  }
}
