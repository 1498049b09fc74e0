package org.relaxvm.compiler.pass.simplify;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.ir.TupleGetItem;
import org.relaxvm.compiler.op.create.Fills;
import org.relaxvm.compiler.op.elementwise.Arithmetic;
import org.relaxvm.compiler.op.elementwise.Conversions;
import org.relaxvm.compiler.op.elementwise.Functions;
import org.relaxvm.compiler.op.nn.Dropout;
import org.relaxvm.compiler.op.nn.Norms;
import org.relaxvm.compiler.op.shape.UnitAxes;
import org.relaxvm.compiler.pass.ExprMutator;
import org.relaxvm.compiler.pass.Pass;
import org.relaxvm.compiler.pass.PassContext;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.PrimExpr;

/**
 * Replaces operators that do less in inference than in training by simpler ones.
 *
 * <ul>
 *   <li>{@code nn.batch_norm} with {@code training=False} becomes {@code (x - mean) / sqrt(var +
 *       epsilon) * gamma + beta}, of float16 and bfloat16 in float32, beside the statistics as they
 *       were. What concerns a channel only is computed per channel, so that it can be folded.
 *   <li>{@code nn.dropout} becomes its input, beside ones.
 * </ul>
 *
 * <p>Calls of which dtype, number of axes or channels are not known well enough stay. A field of a
 * tuple that is made in the function is read directly. Source: docs/spec/passes.md, section 1.3;
 * docs/spec/op-set.md, section 3.3.
 */
public record DecomposeOpsForInference() implements Pass {
  @Override
  public String name() {
    return "DecomposeOpsForInference";
  }

  @Override
  public IRModule run(IRModule module, PassContext context) {
    return new Mutator(module).run();
  }

  private static final class Mutator extends ExprMutator {
    Mutator(IRModule module) {
      super(module);
    }

    @Override
    protected Expr rewrite(Expr expr) {
      Expr now = super.rewrite(expr);
      return now instanceof TupleGetItem(RelaxVar tuple, int index)
              && lookup(tuple).orElse(null) instanceof Tuple(List<Expr> fields)
          ? fields.get(index)
          : now;
    }

    @Override
    protected Expr rewrite(Call call) {
      Call now = rewriteParts(call);
      if (now.callee().equals(Norms.BATCH_NORM)) {
        return batchNorm(now).orElse(now);
      }
      return now.callee().equals(Dropout.DROPOUT) ? dropout(now) : now;
    }

    private Expr dropout(Call call) {
      Expr x = call.args().getFirst();
      return Tuple.of(x, builder.emit(Fills.onesLike(x)));
    }

    private Optional<Expr> batchNorm(Call call) {
      Attrs attrs = Norms.BATCH_NORM.withDefaults(call.attrs());
      TensorType x = (TensorType) call.args().getFirst().type();
      if (attrs.bool("training").orElseThrow() || x.dtype().isEmpty() || !x.hasRank()) {
        return Optional.empty();
      }
      long given = attrs.integer("axis").orElseThrow();
      int axis = Math.toIntExact(given < 0 ? given + x.ndim() : given);
      if (!haveSameChannels(call, x, axis)) {
        return Optional.empty();
      }
      DType dtype = x.dtype().get();
      DType wide = dtype.bits() < DType.FLOAT32.bits() ? DType.FLOAT32 : dtype;
      List<Expr> args = call.args().stream().map(arg -> cast(arg, dtype, wide)).toList();
      PrimValue epsilon = new PrimValue(new FloatImm(wide, attrs.real("epsilon").orElseThrow()));
      Expr root = Functions.sqrt(Arithmetic.add(args.get(4), epsilon));
      Expr y = Arithmetic.subtract(args.get(0), spread(args.get(3), axis, x.ndim()));
      y = Arithmetic.divide(y, spread(root, axis, x.ndim()));
      if (attrs.bool("scale").orElseThrow()) {
        y = Arithmetic.multiply(y, spread(args.get(1), axis, x.ndim()));
      }
      if (attrs.bool("center").orElseThrow()) {
        y = Arithmetic.add(y, spread(args.get(2), axis, x.ndim()));
      }
      RelaxVar result = builder.emit(cast(y, wide, dtype));
      return Optional.of(Tuple.of(result, call.args().get(3), call.args().get(4)));
    }

    /** Whether the shape of the result is known to be that of the data. */
    private boolean haveSameChannels(Call call, TensorType x, int axis) {
      if (x.dims().isEmpty()) {
        return false;
      }
      PrimExpr channels = x.dims().get().get(axis);
      return call.args().stream()
          .skip(1)
          .map(arg -> ((TensorType) arg.type()).dims())
          .allMatch(
              dims ->
                  dims.isPresent()
                      && builder.analyzer().canProveEqual(channels, dims.get().getFirst()));
    }

    private static Expr cast(Expr x, DType from, DType to) {
      return from.equals(to) ? x : Conversions.astype(x, to);
    }

    /** Numbers per channel with an axis of extent 1 for each other axis of the data. */
    private static Expr spread(Expr perChannel, int axis, int ndim) {
      Integer[] others =
          IntStream.range(0, ndim).filter(i -> i != axis).boxed().toArray(Integer[]::new);
      return others.length == 0 ? perChannel : UnitAxes.expandDims(perChannel, others);
    }
  }
}
