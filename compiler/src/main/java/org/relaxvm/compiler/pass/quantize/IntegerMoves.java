package org.relaxvm.compiler.pass.quantize;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.DoubleStream;
import org.relaxvm.api.DType;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.elementwise.Activations;
import org.relaxvm.compiler.op.elementwise.Arithmetic;
import org.relaxvm.compiler.op.image.Quantization;
import org.relaxvm.compiler.op.index.Slices;
import org.relaxvm.compiler.op.index.Takes;
import org.relaxvm.compiler.op.nn.Padding;
import org.relaxvm.compiler.op.nn.Pools;
import org.relaxvm.compiler.op.shape.Joins;
import org.relaxvm.compiler.op.shape.Orders;
import org.relaxvm.compiler.op.shape.Repeats;
import org.relaxvm.compiler.op.shape.Reshapes;
import org.relaxvm.compiler.op.shape.UnitAxes;
import org.relaxvm.compiler.pass.ExprMutator;
import org.relaxvm.compiler.pass.Pass;
import org.relaxvm.compiler.pass.PassContext;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.IntImm;

/**
 * Computes what only moves or compares elements on integers, and dequantizes the result: reshapes,
 * transposes, slices, lookups, padding with 0, concatenation of tensors with one scale and zero
 * point, the largest elements of windows, and ReLU. A quantization that restores integers as they
 * were is left out: of at most 8 bits in float16, 16 in float32 and 32 in float64. Results are the
 * same.
 *
 * <p>Scales and zero points are numbers for the whole tensor. Where elements are compared, or
 * quantized again, the scale is a positive constant.
 */
public record IntegerMoves() implements Pass {
  /** Operators whose first operand is moved. */
  private static final Set<OpDef> MOVING =
      Set.of(
          Reshapes.RESHAPE,
          Reshapes.FLATTEN,
          UnitAxes.EXPAND_DIMS,
          UnitAxes.SQUEEZE,
          UnitAxes.BROADCAST_TO,
          Orders.PERMUTE_DIMS,
          Orders.FLIP,
          Repeats.REPEAT,
          Repeats.TILE,
          Slices.STRIDED_SLICE,
          Takes.TAKE);

  @Override
  public String name() {
    return "IntegerMoves";
  }

  @Override
  public IRModule run(IRModule module, PassContext context) {
    return new Mutator(module).run();
  }

  private static final class Mutator extends ExprMutator {
    private final Function<RelaxVar, Optional<Expr>> bindings = this::lookup;

    Mutator(IRModule module) {
      super(module);
    }

    @Override
    protected Expr rewrite(Call call) {
      Call now = rewriteParts(call);
      if (!(now.callee() instanceof OpDef op) || now.args().isEmpty()) {
        return now;
      }
      if (op.equals(Quantization.QUANTIZE)) {
        return restored(now).orElse(now);
      }
      if (op.equals(Joins.CONCAT)) {
        return joined(now).orElse(now);
      }
      return dequantized(now.args().getFirst()).flatMap(inner -> moved(now, inner)).orElse(now);
    }

    /** The call that dequantizes whole numbers of bytes with numbers for the whole tensor. */
    private Optional<Call> dequantized(Expr value) {
      return QuantizedOperand.resolved(value, bindings) instanceof Call call
              && call.callee().equals(Quantization.DEQUANTIZE)
              && dtype(call.args().getFirst())
                  .filter(dtype -> dtype.isInteger() && dtype.isByteAligned())
                  .isPresent()
              && isNumber(call.args().get(1))
              && isNumber(call.args().get(2))
          ? Optional.of(call)
          : Optional.empty();
    }

    private static boolean isNumber(Expr parameter) {
      return parameter.knownType().orElse(null) instanceof TensorType type
          && type.hasRank()
          && type.ndim() == 0;
    }

    private static Optional<DType> dtype(Expr value) {
      return value.knownType().orElse(null) instanceof TensorType type
          ? type.dtype()
          : Optional.empty();
    }

    // ---------------------------------------------------------------- rules

    private Optional<Expr> restored(Call quantize) {
      return dequantized(quantize.args().getFirst())
          .filter(inner -> haveSameNumbers(inner, quantize))
          .filter(inner -> isPositive(inner.args().get(1)))
          .map(inner -> inner.args().getFirst())
          .filter(q -> isRestored(q, quantize.args().getFirst()))
          .filter(
              q ->
                  dtype(q)
                      .equals(
                          Quantization.QUANTIZE.withDefaults(quantize.attrs()).dtype("out_dtype")));
    }

    /**
     * Whether floats have so many bits that a quotient of a product rounds to the integer again.
     */
    private static boolean isRestored(Expr integers, Expr floats) {
      Optional<DType> wide = dtype(floats);
      int bits =
          wide.filter(DType.FLOAT64::equals).isPresent()
              ? 32
              : wide.filter(DType.FLOAT32::equals).isPresent()
                  ? 16
                  : wide.filter(DType.FLOAT16::equals).isPresent() ? 8 : 0;
      return dtype(integers).filter(dtype -> dtype.bits() <= bits).isPresent();
    }

    private Optional<Expr> moved(Call call, Call inner) {
      Expr q = inner.args().getFirst();
      if (call.callee() instanceof OpDef op && MOVING.contains(op)) {
        return Optional.of(dequantize(withFirst(call, q), inner));
      }
      boolean isOrdered = isPositive(inner.args().get(1));
      if (isOrdered && Pools.isMaxPool(call.callee())) {
        return Optional.of(dequantize(withFirst(call, q), inner));
      }
      if (isOrdered && isRelu(call) && dtype(inner.args().get(2)).equals(dtype(q))) {
        return Optional.of(dequantize(Arithmetic.maximum(q, inner.args().get(2)), inner));
      }
      return call.callee().equals(Padding.PAD) ? padded(call, inner) : Optional.empty();
    }

    private static boolean isRelu(Call call) {
      return call.callee().equals(Activations.RELU)
          || (call.callee().equals(Arithmetic.MAXIMUM)
              && call.args().get(1) instanceof PrimValue(var number)
              && ((number instanceof FloatImm real && real.value() == 0)
                  || (number instanceof IntImm whole && whole.value() == 0)));
    }

    private Optional<Expr> padded(Call pad, Call inner) {
      Attrs attrs = Padding.PAD.withDefaults(pad.attrs());
      boolean isZero =
          attrs.text("pad_mode").filter("constant"::equals).isPresent()
              && attrs.real("pad_value").filter(value -> value == 0).isPresent();
      return QuantizedOperand.constant(inner.args().get(2), bindings)
          .filter(_ -> isZero)
          .map(
              zero ->
                  dequantize(
                      Call.of(
                          Padding.PAD,
                          List.of(inner.args().getFirst()),
                          attrs.with("pad_value", (double) zero.toLongArray()[0])),
                      inner));
    }

    private Optional<Expr> joined(Call concat) {
      if (!(QuantizedOperand.resolved(concat.args().getFirst(), bindings)
              instanceof Tuple(List<Expr> fields))
          || fields.isEmpty()) {
        return Optional.empty();
      }
      List<Expr> integers = new ArrayList<>();
      Optional<Call> first = dequantized(fields.getFirst());
      for (Expr field : fields) {
        Optional<Call> inner = dequantized(field);
        if (inner.isEmpty() || !haveSameNumbers(first.orElseThrow(), inner.get())) {
          return Optional.empty();
        }
        integers.add(inner.get().args().getFirst());
      }
      boolean areOfOneDType = integers.stream().map(Mutator::dtype).distinct().count() == 1;
      return areOfOneDType
          ? Optional.of(dequantize(withFirst(concat, new Tuple(integers)), first.orElseThrow()))
          : Optional.empty();
    }

    private static Call withFirst(Call call, Expr first) {
      List<Expr> args = new ArrayList<>(call.args());
      args.set(0, first);
      return call.withArgs(args);
    }

    private Expr dequantize(Expr integers, Call inner) {
      return builder.normalize(withFirst(inner, builder.emit(integers)));
    }

    // ---------------------------------------------------------------- numbers

    private boolean isPositive(Expr scale) {
      return QuantizedOperand.constant(scale, bindings)
          .filter(
              data ->
                  DoubleStream.of(data.toDoubleArray())
                      .allMatch(n -> n >= Float.MIN_NORMAL && n <= Float.MAX_VALUE))
          .isPresent();
    }

    /** Whether two calls have the same scale and zero point. */
    private boolean haveSameNumbers(Call a, Call b) {
      return isSame(a.args().get(1), b.args().get(1)) && isSame(a.args().get(2), b.args().get(2));
    }

    private boolean isSame(Expr a, Expr b) {
      if (a.equals(b)) {
        return true;
      }
      Optional<Tensor> left = QuantizedOperand.constant(a, bindings);
      Optional<Tensor> right = QuantizedOperand.constant(b, bindings);
      return left.isPresent()
          && right.isPresent()
          && dtype(a).equals(dtype(b))
          && left.get().elementCount() == 1
          && right.get().elementCount() == 1
          && left.get().toDoubleArray()[0] == right.get().toDoubleArray()[0];
    }
  }
}
