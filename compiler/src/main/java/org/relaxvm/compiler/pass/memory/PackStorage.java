package org.relaxvm.compiler.pass.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.ir.Binding;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.VarBinding;
import org.relaxvm.compiler.op.core.MemoryOps;
import org.relaxvm.compiler.pass.ExprMutator;
import org.relaxvm.compiler.pass.Pass;
import org.relaxvm.compiler.pass.PassContext;
import org.relaxvm.tir.expr.IntImm;

/**
 * Joins the storages of a block into one, with the tensors at offsets of it. {@link
 * StaticPlanBlockMemory} has one tensor at a time in each storage, so that a large storage is lost
 * for several small tensors; here they lie in it side by side, and the size comes close to that of
 * the tensors that are needed at the same time.
 *
 * <p>Offsets are multiples of 256 bytes. Storages of symbolic size and of scopes other than {@code
 * global} stay, and so does everything where nothing is saved.
 *
 * <p>Rationale: docs/rationale/compiler.md, "Why are sharing and packing two passes?"
 */
public record PackStorage() implements Pass {
  @Override
  public String name() {
    return "PackStorage";
  }

  @Override
  public IRModule run(IRModule module, PassContext context) {
    return new Mutator(module, context.plansForParallelism()).run();
  }

  private static final class Mutator extends ExprMutator {
    private final IRModule module;
    private final boolean isParallel;
    private @Nullable StorageLayout layout;

    Mutator(IRModule module, boolean isParallel) {
      super(module);
      this.module = module;
      this.isParallel = isParallel;
    }

    @Override
    protected RelaxFunction rewrite(GlobalVar name, RelaxFunction function) {
      layout = StorageLayout.of(module, function, isParallel);
      return super.rewrite(name, function);
    }

    @Override
    protected void rewrite(Binding binding) {
      if (layout == null || !(binding instanceof VarBinding(var var, Call call))) {
        super.rewrite(binding);
        return;
      }
      StorageLayout.Joined joined = layout.storages.get(var);
      Offsets.Tensor tensor = layout.tensors.get(var);
      if (joined != null) {
        if (joined.first().equals(var)) {
          reEmit((VarBinding) binding, storage(joined));
        }
      } else if (tensor != null) {
        List<Expr> args = new ArrayList<>(call.args());
        args.set(0, Objects.requireNonNull(layout.storages.get(args.getFirst())).first());
        args.set(1, PrimValue.of(tensor.offset));
        reEmit((VarBinding) binding, call.withArgs(args));
      } else {
        super.rewrite(binding);
      }
    }

    private static Call storage(StorageLayout.Joined joined) {
      return MemoryOps.allocStorage(
          IntImm.of(joined.byteSize()), joined.device(), MemoryOps.GLOBAL, DType.UINT8);
    }
  }
}
