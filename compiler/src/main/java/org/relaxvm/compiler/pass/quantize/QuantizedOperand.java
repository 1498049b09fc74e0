package org.relaxvm.compiler.pass.quantize;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.relaxvm.api.DType;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Constant;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.elementwise.Arithmetic;
import org.relaxvm.compiler.op.elementwise.Conversions;
import org.relaxvm.compiler.op.image.Quantization;
import org.relaxvm.compiler.op.shape.Orders;
import org.relaxvm.compiler.op.shape.Reshapes;
import org.relaxvm.compiler.op.shape.UnitAxes;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/**
 * An operand that is {@code (q - zero point)}, or {@code (q - zero point) * scale}, with integers
 * {@code q} of 8 bits. Immutable.
 *
 * @param q int8 or uint8
 * @param order the axes of {@code q} in the order of those of the operand
 * @param zeroPoint empty where it is known to be 0
 * @param scale empty where the operand is int32
 */
record QuantizedOperand(
    Expr q, List<Integer> order, Optional<Parameter> zeroPoint, Optional<Parameter> scale) {
  /** Operators that move elements; the same ones of integers. */
  private static final Set<OpDef> MOVING =
      Set.of(
          Reshapes.RESHAPE,
          Reshapes.FLATTEN,
          UnitAxes.EXPAND_DIMS,
          UnitAxes.SQUEEZE,
          UnitAxes.BROADCAST_TO);

  /** Copies the list. */
  QuantizedOperand {
    order = List.copyOf(order);
  }

  /**
   * A number for the whole operand, or one for each index of an axis.
   *
   * @param value a tensor; all its extents but one are 1
   * @param axis of the operand; {@link #ALL} for a number for all of it
   */
  record Parameter(Expr value, int axis) {
    static final int ALL = -1;

    boolean isForAll() {
      return axis == ALL;
    }
  }

  /**
   * The operand as such; empty when it is none.
   *
   * @param lookup finds what variables are bound to
   * @param emit binds an expression to a variable
   */
  static Optional<QuantizedOperand> of(
      Expr operand, Function<RelaxVar, Optional<Expr>> lookup, UnaryOperator<Expr> emit) {
    if (!(resolved(operand, lookup) instanceof Call call)) {
      return Optional.empty();
    }
    if (call.callee().equals(Quantization.DEQUANTIZE)) {
      return dequantized(call, lookup);
    }
    if (call.callee().equals(Conversions.ASTYPE)) {
      return widened(call);
    }
    if (call.callee().equals(Arithmetic.SUBTRACT)) {
      return difference(call, lookup);
    }
    if (call.callee().equals(Orders.PERMUTE_DIMS)) {
      return of(call.args().getFirst(), lookup, emit).map(inner -> inner.permuted(call));
    }
    return call.callee() instanceof OpDef op && MOVING.contains(op)
        ? of(call.args().getFirst(), lookup, emit).flatMap(inner -> inner.moved(call, emit))
        : Optional.empty();
  }

  static Expr resolved(Expr expr, Function<RelaxVar, Optional<Expr>> lookup) {
    Expr now = expr;
    while (now instanceof RelaxVar var) {
      Optional<Expr> value = lookup.apply(var);
      if (value.isEmpty()) {
        return now;
      }
      now = value.get();
    }
    return now;
  }

  /** The number of axes. */
  int rank() {
    return order.size();
  }

  /** The dtype of the integers. */
  DType dtype() {
    return ((TensorType) q.type()).dtype().orElseThrow();
  }

  /** How large the difference of element and zero point is at most. */
  long largest() {
    return dtype().equals(DType.INT8) && zeroPoint.isEmpty() ? 128 : 255;
  }

  private static Optional<QuantizedOperand> ofBytes(
      Expr q, Optional<Parameter> zeroPoint, Optional<Parameter> scale) {
    boolean isByte =
        q.type() instanceof TensorType type
            && type.dims().isPresent()
            && type.dtype()
                .filter(dtype -> dtype.equals(DType.INT8) || dtype.equals(DType.UINT8))
                .isPresent();
    return isByte
        ? Optional.of(
            new QuantizedOperand(
                q,
                IntStream.range(0, ((TensorType) q.type()).ndim()).boxed().toList(),
                zeroPoint,
                scale))
        : Optional.empty();
  }

  // ---------------------------------------------------------------- forms

  private static Optional<QuantizedOperand> dequantized(
      Call call, Function<RelaxVar, Optional<Expr>> lookup) {
    Expr q = call.args().get(0);
    if (!(q.type() instanceof TensorType type) || !type.hasRank()) {
      return Optional.empty();
    }
    long given = Quantization.DEQUANTIZE.withDefaults(call.attrs()).integer("axis").orElseThrow();
    int axis = (int) (given < 0 ? given + type.ndim() : given);
    Optional<Parameter> scale = parameter(call.args().get(1), axis);
    Optional<Parameter> zeroPoint = parameter(call.args().get(2), axis);
    if (scale.isEmpty() || zeroPoint.isEmpty()) {
      return Optional.empty();
    }
    return ofBytes(q, zeroPoint.filter(zero -> !isZero(zero.value(), lookup)), scale);
  }

  private static Optional<Parameter> parameter(Expr value, int axis) {
    return value.type() instanceof TensorType type && type.dims().isPresent()
        ? Optional.of(new Parameter(value, isOne(type) ? Parameter.ALL : axis))
        : Optional.empty();
  }

  private static boolean isOne(TensorType type) {
    return type.dims().orElseThrow().stream().allMatch(IntImm.of(1)::equals);
  }

  private static Optional<QuantizedOperand> widened(Call call) {
    return call.attrs().dtype("dtype").filter(DType.INT32::equals).isPresent()
        ? ofBytes(call.args().getFirst(), Optional.empty(), Optional.empty())
        : Optional.empty();
  }

  private static Optional<QuantizedOperand> difference(
      Call call, Function<RelaxVar, Optional<Expr>> lookup) {
    if (!(resolved(call.args().get(0), lookup) instanceof Call inner)
        || !inner.callee().equals(Conversions.ASTYPE)
        || !(call.args().get(1).type() instanceof TensorType zero)
        || zero.dims().isEmpty()) {
      return Optional.empty();
    }
    Optional<QuantizedOperand> q = widened(inner);
    int missing = q.map(QuantizedOperand::rank).orElse(0) - zero.ndim();
    if (q.isEmpty() || missing < 0) {
      return Optional.empty();
    }
    List<PrimExpr> dims = zero.dims().get();
    int axis = Parameter.ALL;
    for (int i = 0; i < dims.size(); i++) {
      if (!dims.get(i).equals(IntImm.of(1))) {
        if (axis != Parameter.ALL) {
          return Optional.empty();
        }
        axis = i + missing;
      }
    }
    Expr value = call.args().get(1);
    Optional<Parameter> zeroPoint =
        isZero(value, lookup) ? Optional.empty() : Optional.of(new Parameter(value, axis));
    return ofBytes(q.get().q, zeroPoint, Optional.empty());
  }

  /** The same elements elsewhere, if one number counts for all of them. */
  private Optional<QuantizedOperand> moved(Call call, UnaryOperator<Expr> emit) {
    boolean areForAll =
        zeroPoint.filter(zero -> !zero.isForAll()).isEmpty()
            && scale.filter(number -> !number.isForAll()).isEmpty();
    if (!areForAll || !isInOrder()) {
      return Optional.empty();
    }
    List<Expr> args = new ArrayList<>(call.args());
    args.set(0, q);
    return ofBytes(emit.apply(call.withArgs(args)), zeroPoint, scale);
  }

  /** Whether the axes are those of the integers. */
  boolean isInOrder() {
    return order.equals(IntStream.range(0, rank()).boxed().toList());
  }

  private QuantizedOperand permuted(Call call) {
    List<Integer> axes =
        Orders.PERMUTE_DIMS
            .withDefaults(call.attrs())
            .integers("axes")
            .map(
                given ->
                    given.stream().map(axis -> (int) (axis < 0 ? axis + rank() : axis)).toList())
            .orElseGet(() -> IntStream.range(0, rank()).boxed().toList().reversed());
    return new QuantizedOperand(
        q,
        axes.stream().map(order::get).toList(),
        zeroPoint.map(zero -> permuted(zero, axes)),
        scale.map(number -> permuted(number, axes)));
  }

  private static Parameter permuted(Parameter parameter, List<Integer> axes) {
    return parameter.isForAll()
        ? parameter
        : new Parameter(parameter.value(), axes.indexOf(parameter.axis()));
  }

  // ---------------------------------------------------------------- constants

  /** The tensor of a constant, seen through casts and reshapes. */
  static Optional<Tensor> constant(Expr expr, Function<RelaxVar, Optional<Expr>> lookup) {
    return switch (resolved(expr, lookup)) {
      case Constant constant -> Optional.of(constant.data());
      case Call call
          when call.callee().equals(Conversions.ASTYPE) || call.callee().equals(Reshapes.RESHAPE) ->
          constant(call.args().getFirst(), lookup);
      default -> Optional.empty();
    };
  }

  private static boolean isZero(Expr expr, Function<RelaxVar, Optional<Expr>> lookup) {
    return constant(expr, lookup)
        .filter(data -> data.dtype().isInteger())
        .filter(data -> LongStream.of(data.toLongArray()).allMatch(n -> n == 0))
        .isPresent();
  }
}
