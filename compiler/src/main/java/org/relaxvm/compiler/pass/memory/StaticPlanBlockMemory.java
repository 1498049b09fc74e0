package org.relaxvm.compiler.pass.memory;

import java.util.IdentityHashMap;
import java.util.Map;
import org.relaxvm.compiler.ir.Binding;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.ir.VarBinding;
import org.relaxvm.compiler.op.core.MemoryOps;
import org.relaxvm.compiler.pass.ExprMutator;
import org.relaxvm.compiler.pass.Pass;
import org.relaxvm.compiler.pass.PassContext;
import org.relaxvm.tir.expr.IntImm;

/**
 * Lets allocations of a function share memory, as far as it is known that one is not used any more
 * when the next begins. Sizes that a function bounds are planned as large as they can be. Source:
 * docs/spec/passes.md, section 10.1.
 */
public record StaticPlanBlockMemory() implements Pass {
  /** Set to 1 on functions whose results of symbolic shape get memory of the largest size too. */
  public static final String PLAN_DYNAMIC_OUTPUT = "relax.memory_plan_dynamic_func_output";

  @Override
  public String name() {
    return "StaticPlanBlockMemory";
  }

  @Override
  public IRModule run(IRModule module, PassContext context) {
    return new Mutator(module, context.plansForParallelism()).run();
  }

  private static final class Mutator extends ExprMutator {
    private final IRModule module;
    private final boolean isParallel;
    private final Map<StorageToken, RelaxVar> storages = new IdentityHashMap<>();
    private Map<RelaxVar, StorageToken> plan = Map.of();
    private UpperBounds bounds = new UpperBounds();
    private boolean plansDynamicOutput;

    Mutator(IRModule module, boolean isParallel) {
      super(module);
      this.module = module;
      this.isParallel = isParallel;
    }

    @Override
    protected RelaxFunction rewrite(GlobalVar name, RelaxFunction function) {
      bounds = UpperBounds.of(function);
      TokenUses uses =
          TokenUses.of(
              module, function, (value, block) -> TokenUses.allocation(value, block, bounds));
      plan = StoragePlan.of(function, uses, bounds, isParallel).storages;
      plansDynamicOutput = function.attrs().bool(PLAN_DYNAMIC_OUTPUT).orElse(false);
      RelaxFunction planned = super.rewrite(name, function);
      return planned.withAttrs(planned.attrs().without(PLAN_DYNAMIC_OUTPUT));
    }

    @Override
    protected void rewrite(Binding binding) {
      if (binding instanceof VarBinding allocation && allocation.value() instanceof Call call) {
        StorageToken token = plan.get(allocation.var());
        if (token == null && plansDynamicOutput && isDynamic(call)) {
          token = TokenUses.allocation(call, new Object(), bounds).orElse(null);
        }
        if (token != null) {
          reEmit(allocation, inStorage(token, call));
          return;
        }
      }
      super.rewrite(binding);
    }

    private Call inStorage(StorageToken token, Call allocation) {
      StorageToken.Pool pool = token.pool;
      RelaxVar storage = storages.get(token);
      if (storage == null) {
        storage =
            builder.emit(
                MemoryOps.allocStorage(token.byteSize, pool.device(), pool.scope(), pool.dtype()),
                "storage");
        storages.put(token, storage);
      }
      Expr shape = allocation.args().getFirst();
      return MemoryOps.allocTensor(storage, 0, shape, pool.dtype(), pool.device());
    }

    private static boolean isDynamic(Call call) {
      return call.callee().equals(MemoryOps.BUILTIN_ALLOC_TENSOR)
          && call.args().getFirst() instanceof ShapeExpr(var dims)
          && !dims.stream().allMatch(IntImm.class::isInstance);
    }
  }
}
