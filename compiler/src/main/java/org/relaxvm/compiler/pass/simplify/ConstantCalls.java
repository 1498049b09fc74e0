package org.relaxvm.compiler.pass.simplify;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;
import org.relaxvm.compiler.builder.BlockBuilder;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Binding;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Constant;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.KernelFunction;
import org.relaxvm.compiler.ir.ModuleFunction;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.ir.TupleGetItem;
import org.relaxvm.compiler.ir.VarBinding;
import org.relaxvm.compiler.op.core.CallOps;
import org.relaxvm.compiler.op.shape.Orders;
import org.relaxvm.compiler.pass.ScalarConvention;
import org.relaxvm.compiler.pass.fuse.LegalizeOps;
import org.relaxvm.compiler.rewrite.FreeVars;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.eval.Evaluator;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/**
 * Evaluates calls whose arguments are constants. Source: docs/spec/passes.md, section 4. Used for
 * one module. Not thread-safe.
 */
final class ConstantCalls {
  private static final int LARGEST_CALLS = 16;

  private final long maxStores;
  private double left;

  /**
   * @param maxStores how many elements a kernel may store; all kernels of the module together store
   *     16 times as many at most
   */
  ConstantCalls(long maxStores) {
    this.maxStores = maxStores;
    this.left = (double) maxStores * LARGEST_CALLS;
  }

  /**
   * What a {@code call_tir} gives: a constant, or a tuple of constants; empty when it cannot be
   * evaluated.
   */
  Optional<Expr> evaluate(Call call, Function<GlobalVar, Optional<ModuleFunction>> functions) {
    List<Type> results =
        call.type() instanceof TupleType(List<Type> fields) ? fields : List.of(call.type());
    boolean ready =
        call.args().size() == 2
            && call.args().get(1) instanceof Tuple(List<Expr> args)
            && args.stream().allMatch(arg -> arg instanceof Constant c && onHost(c))
            && results.stream().allMatch(ConstantCalls::isStatic)
            && (!args.isEmpty() || results.stream().allMatch(ConstantCalls::isSmall));
    if (!ready
        || !(call.args().getFirst() instanceof GlobalVar name)
        || !(functions.apply(name).orElse(null) instanceof KernelFunction(PrimFunc kernel))) {
      return Optional.empty();
    }
    List<Tensor> tensors = new ArrayList<>();
    ((Tuple) call.args().get(1)).fields().forEach(arg -> tensors.add(((Constant) arg).data()));
    int inputs = tensors.size();
    List<long[]> extents = results.stream().map(ConstantCalls::extents).toList();
    double stores = KernelWork.of(kernel, tensors, extents);
    if (!(stores <= Math.min(maxStores, left))) {
      return Optional.empty();
    }
    left -= stores;
    for (int i = 0; i < results.size(); i++) {
      TensorType result = (TensorType) results.get(i);
      tensors.add(Tensor.zeros(result.dtype().orElseThrow(), Shape.of(extents.get(i))));
    }
    try {
      new Evaluator().run(kernel, tensors);
    } catch (CallException wrong) {
      // What is wrong with the call is to be seen when the program runs, if it comes to it.
      return Optional.empty();
    }
    List<Expr> constants = new ArrayList<>();
    for (int i = 0; i < results.size(); i++) {
      TensorType result = (TensorType) results.get(i);
      constants.add(new Constant(tensors.get(inputs + i), result.vdevice()));
    }
    return Optional.of(
        call.type() instanceof TupleType ? new Tuple(constants) : constants.getFirst());
  }

  /**
   * What a call of an operator gives, by the kernels that would compute it; empty when there are
   * none or when they cannot be evaluated.
   */
  Optional<Expr> evaluateOperator(Call call) {
    boolean ready =
        FreeVars.of(call).isEmpty()
            && isStatic(call.type())
            && (holdsTensors(call.args()) || isSmall(call.type()));
    if (!ready) {
      return Optional.empty();
    }
    if (call.isOf(Orders.PERMUTE_DIMS.name())
        && call.args().getFirst() instanceof Constant constant
        && onHost(constant)) {
      return Optional.of(permuted(call, constant));
    }
    BlockBuilder side = new BlockBuilder();
    side.beginFunction("constant", List.of());
    side.beginBlock(true);
    Optional<Expr> made = LegalizeOps.legalize(call, side, ScalarConvention.INLINE);
    if (made.isEmpty()) {
      return Optional.empty();
    }
    side.endBlock();
    RelaxFunction function =
        side.endFunction(List.of(), made.get(), Optional.empty(), true, Attrs.NONE);
    Map<RelaxVar, Expr> known = new IdentityHashMap<>();
    for (Binding binding : function.body().bindings().toList()) {
      Optional<Expr> value =
          binding instanceof VarBinding(RelaxVar var, Expr expr)
              ? value(expr, known, side)
              : Optional.empty();
      if (value.isEmpty()) {
        return Optional.empty();
      }
      known.put(binding.var(), value.get());
    }
    return value(function.body().body(), known, side);
  }

  /** A copy of the constant with its axes in another order, which takes long by a kernel. */
  private static Expr permuted(Call call, Constant constant) {
    int rank = constant.data().shape().rank();
    Optional<List<Long>> given = call.attrs().integers("axes");
    int[] axes = new int[rank];
    for (int i = 0; i < rank; i++) {
      int axis = given.isPresent() ? given.get().get(i).intValue() : rank - 1 - i;
      axes[i] = Math.floorMod(axis, rank);
    }
    return new Constant(constant.data().permute(axes).toHost(), constant.tensorType().vdevice());
  }

  private Optional<Expr> value(Expr expr, Map<RelaxVar, Expr> known, BlockBuilder side) {
    return switch (expr) {
      case Constant constant -> Optional.of(constant);
      case RelaxVar var -> Optional.ofNullable(known.get(var));
      case TupleGetItem(RelaxVar tuple, int index) ->
          known.get(tuple) instanceof Tuple(List<Expr> fields)
              ? Optional.of(fields.get(index))
              : Optional.empty();
      case Tuple(List<Expr> fields) -> Optional.of(new Tuple(all(fields, known)));
      case Call call when call.isOf(CallOps.CALL_TIR.name()) ->
          evaluate(call.withArgs(all(call.args(), known)).withType(call.type()), side::find);
      default -> Optional.empty();
    };
  }

  private static List<Expr> all(List<Expr> exprs, Map<RelaxVar, Expr> known) {
    List<Expr> values = new ArrayList<>();
    for (Expr expr : exprs) {
      values.add(
          switch (expr) {
            case RelaxVar var -> known.getOrDefault(var, var);
            case Tuple(List<Expr> fields) -> new Tuple(all(fields, known));
            default -> expr;
          });
    }
    return values;
  }

  private static boolean holdsTensors(List<Expr> args) {
    return args.stream()
        .anyMatch(
            arg ->
                arg instanceof Constant
                    || (arg instanceof Tuple(List<Expr> fields) && holdsTensors(fields)));
  }

  private static boolean onHost(Constant constant) {
    return constant.data().device().isHost();
  }

  private static boolean isStatic(Type type) {
    return switch (type) {
      case TensorType tensor ->
          tensor.dtype().isPresent()
              && tensor.dims().isPresent()
              && tensor.dims().get().stream().allMatch(IntImm.class::isInstance);
      case TupleType(List<Type> fields) -> fields.stream().allMatch(ConstantCalls::isStatic);
      default -> false;
    };
  }

  private static boolean isSmall(Type type) {
    return switch (type) {
      case TensorType tensor -> {
        double elements = 1;
        for (long extent : extents(tensor)) {
          elements *= extent;
        }
        yield elements <= FoldConstant.MAX_CREATED_ELEMENTS;
      }
      case TupleType(List<Type> fields) -> fields.stream().allMatch(ConstantCalls::isSmall);
      default -> false;
    };
  }

  private static long[] extents(Type tensor) {
    List<PrimExpr> dims = ((TensorType) tensor).dims().orElseThrow();
    return dims.stream().mapToLong(dim -> ((IntImm) dim).value()).toArray();
  }
}
