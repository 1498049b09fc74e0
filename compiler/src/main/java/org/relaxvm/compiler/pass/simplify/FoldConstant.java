package org.relaxvm.compiler.pass.simplify;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.ir.Binding;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Constant;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.ir.TupleGetItem;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.core.CallOps;
import org.relaxvm.compiler.op.core.ValueOps;
import org.relaxvm.compiler.pass.ExprMutator;
import org.relaxvm.compiler.pass.Pass;
import org.relaxvm.compiler.pass.PassContext;
import org.relaxvm.compiler.rewrite.Overwritten;
import org.relaxvm.compiler.rewrite.Purity;
import org.relaxvm.compiler.rewrite.RemoveUnused;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/**
 * Evaluates what depends on constants only, and removes what nobody needs any more. Kernels are
 * evaluated wherever they are called; operators only in dataflow blocks, by the kernels that would
 * compute them. What cannot be evaluated, or would take too long, stays; and so does what a call in
 * place overwrites, for constants are not written.
 *
 * <p>Source: docs/spec/passes.md, section 4.
 *
 * @param maxStores how many elements kernels of one call may store, intermediate ones and each step
 *     of a sum included; those of all calls of a module store 16 times as many at most
 */
public record FoldConstant(long maxStores) implements Pass {
  /** How many elements a constant has at most that is made of no tensor. */
  public static final long MAX_CREATED_ELEMENTS = 1024;

  /** Evaluates what takes a few seconds at most for a call, and about a minute for a module. */
  public FoldConstant() {
    this(1L << 22);
  }

  @Override
  public String name() {
    return "FoldConstant";
  }

  @Override
  public IRModule run(IRModule module, PassContext context) {
    return new Folding(module, maxStores).run();
  }

  private static final class Folding extends ExprMutator {
    private final ConstantCalls calls;
    private Set<RelaxVar> overwritten = Set.of();
    private boolean isOverwritten;

    Folding(IRModule module, long maxStores) {
      super(module);
      this.calls = new ConstantCalls(maxStores);
    }

    @Override
    protected RelaxFunction rewrite(GlobalVar name, RelaxFunction function) {
      Purity purity = new Purity(builder::find);
      // What earlier passes do not need any more is not worth the time to evaluate it.
      RelaxFunction used = RemoveUnused.in(function, purity);
      overwritten = Overwritten.in(used);
      return RemoveUnused.in(super.rewrite(name, used), purity);
    }

    @Override
    protected void rewrite(Binding binding) {
      boolean outer = isOverwritten;
      isOverwritten = overwritten.contains(binding.var());
      super.rewrite(binding);
      isOverwritten = outer;
    }

    @Override
    protected Expr rewrite(Expr expr) {
      Expr rewritten = super.rewrite(expr);
      return switch (rewritten) {
        case RelaxVar var when lookup(var).orElse(var) instanceof Constant constant -> constant;
        case TupleGetItem(RelaxVar tuple, int index)
            when lookup(tuple).orElse(tuple) instanceof Tuple(List<Expr> fields)
                && fields.get(index) instanceof Constant constant ->
            constant;
        default -> rewritten;
      };
    }

    @Override
    protected Expr rewrite(Call call) {
      Call rewritten = rewriteParts(call);
      if (isOverwritten || !(rewritten.callee() instanceof OpDef op)) {
        return rewritten;
      }
      if (op.equals(CallOps.CALL_TIR)) {
        return calls.evaluate(rewritten, builder::find).orElse(rewritten);
      }
      Call shaped = withShapes(rewritten);
      Optional<Expr> known = builder.isDataflow() ? evaluate(op, shaped) : Optional.empty();
      return known.orElse(shaped);
    }

    /** The call with shapes instead of variables that are bound to shapes. */
    private Call withShapes(Call call) {
      List<Expr> args =
          call.args().stream()
              .map(
                  arg ->
                      arg instanceof RelaxVar var
                              && lookup(var).orElse(var) instanceof ShapeExpr shape
                          ? shape
                          : arg)
              .toList();
      return args.equals(call.args()) ? call : (Call) builder.normalize(call.withArgs(args));
    }

    private Optional<Expr> evaluate(OpDef op, Call call) {
      if (op.equals(ValueOps.TENSOR_TO_SHAPE)) {
        return shape(call.args().getFirst());
      }
      if (op.equals(ValueOps.SHAPE_TO_TENSOR)) {
        return tensor(call.args().getFirst());
      }
      return calls.evaluateOperator(call);
    }

    private static Optional<Expr> shape(Expr tensor) {
      if (!(tensor instanceof Constant constant)
          || !constant.data().dtype().equals(DType.INT64)
          || constant.data().shape().rank() != 1) {
        return Optional.empty();
      }
      long[] extents = constant.data().toLongArray();
      List<PrimExpr> values = LongStream.of(extents).<PrimExpr>mapToObj(IntImm::of).toList();
      boolean valid = LongStream.of(extents).allMatch(extent -> extent >= 0);
      return valid ? Optional.of(new ShapeExpr(values)) : Optional.empty();
    }

    private static Optional<Expr> tensor(Expr shape) {
      if (!(shape instanceof ShapeExpr(List<PrimExpr> values))
          || !values.stream().allMatch(IntImm.class::isInstance)) {
        return Optional.empty();
      }
      long[] extents = values.stream().mapToLong(value -> ((IntImm) value).value()).toArray();
      return Optional.of(new Constant(Tensor.of(extents, Shape.of(extents.length))));
    }
  }
}
