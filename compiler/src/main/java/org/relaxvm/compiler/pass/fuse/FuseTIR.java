package org.relaxvm.compiler.pass.fuse;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.KernelFunction;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.ir.TupleGetItem;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.core.CallOps;
import org.relaxvm.compiler.pass.ExprMutator;
import org.relaxvm.compiler.pass.Pass;
import org.relaxvm.compiler.pass.PassContext;
import org.relaxvm.compiler.pass.ScalarConvention;
import org.relaxvm.compiler.rewrite.DeadCode;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.tir.expr.PrimExpr;

/**
 * Makes a kernel of each group that {@link FuseOps} found. Kernels that nobody calls any more are
 * removed. Source: docs/spec/passes.md, section 6.
 */
public record FuseTIR() implements Pass {
  @Override
  public String name() {
    return "FuseTIR";
  }

  @Override
  public IRModule run(IRModule module, PassContext context) {
    Map<GlobalVar, FusedKernel> fused = new LinkedHashMap<>();
    module
        .relaxFunctions()
        .forEach(
            (name, function) -> {
              if (function.isPrimitive()) {
                fused.put(name, FusedKernel.of(name, function, module, context.scalars()));
              }
            });
    IRModule made = fused.isEmpty() ? module : new Mutator(module, fused, context.scalars()).run();
    return DeadCode.removeFrom(made, List.of());
  }

  private static final class Mutator extends ExprMutator {
    private final Map<GlobalVar, FusedKernel> fused;
    private final ScalarConvention scalars;

    Mutator(IRModule module, Map<GlobalVar, FusedKernel> fused, ScalarConvention scalars) {
      super(module);
      this.fused = fused;
      this.scalars = scalars;
      fused.forEach((name, made) -> builder.put(name, new KernelFunction(made.kernel())));
    }

    @Override
    public IRModule run() {
      builder
          .module()
          .relaxFunctions()
          .forEach((name, function) -> builder.put(name, rewrite(name, function)));
      return builder.module();
    }

    @Override
    protected Expr rewrite(Call call) {
      if (!(call.callee() instanceof GlobalVar name) || !fused.containsKey(name)) {
        return super.rewrite(call);
      }
      FusedKernel made = fused.get(name);
      List<Expr> tensors = new ArrayList<>();
      List<PrimExpr> sizes = new ArrayList<>();
      List<Expr> args = rewriteArguments(call.args());
      for (int i = 0; i < args.size(); i++) {
        if (made.usesParam().get(i)) {
          pass(args.get(i), tensors, sizes);
        }
      }
      List<Expr> all = new ArrayList<>(List.of(name, new Tuple(tensors)));
      if (!sizes.isEmpty()) {
        all.add(new ShapeExpr(sizes));
      }
      boolean inPlace = !made.inPlace().isEmpty();
      OpDef op = inPlace ? CallOps.CALL_TIR_INPLACE : CallOps.CALL_TIR;
      Attrs attrs = inPlace ? Attrs.of("inplace_indices", made.inPlace()) : Attrs.NONE;
      return builder.normalize(Call.of(op, all, attrs, List.of(call.type())));
    }

    private void pass(Expr arg, List<Expr> tensors, List<PrimExpr> sizes) {
      if (arg.type() instanceof ShapeType shape) {
        List<PrimExpr> dims = shape.dims().orElseThrow();
        if (scalars == ScalarConvention.TRAILING) {
          sizes.addAll(dims);
        } else {
          dims.forEach(dim -> tensors.add(new PrimValue(dim)));
        }
      } else if (arg.type() instanceof TupleType(var fields)) {
        for (int i = 0; i < fields.size(); i++) {
          Expr field = arg instanceof Tuple(var known) ? known.get(i) : new TupleGetItem(arg, i);
          pass(builder.argument(field), tensors, sizes);
        }
      } else {
        tensors.add(arg);
      }
    }
  }
}
