package org.relaxvm.compiler.pass.lower;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.KernelFunction;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.pass.ExprMutator;
import org.relaxvm.compiler.pass.Pass;
import org.relaxvm.compiler.pass.PassContext;
import org.relaxvm.compiler.type.check.Symbols;
import org.relaxvm.tir.Param;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.Substitution;
import org.relaxvm.tir.stmt.Return;

/**
 * Lets functions of the host compute scalar expressions that are values of the program. Constants
 * and single variables stay; extents in shapes are the business of {@link VMShapeLower}.
 *
 * <p>A function gets the variables in the order of their first use; equal functions are one.
 * Source: docs/spec/passes.md, section 12.
 */
public final class ComputePrimValue implements Pass {
  @Override
  public String name() {
    return "ComputePrimValue";
  }

  @Override
  public IRModule run(IRModule module, PassContext context) {
    return new Rewriter(module).run();
  }

  private static final class Rewriter extends ExprMutator {
    Rewriter(IRModule module) {
      super(module);
    }

    @Override
    protected Expr rewrite(Expr expr) {
      boolean computes =
          expr instanceof PrimValue(PrimExpr value)
              && !(value instanceof IntImm || value instanceof FloatImm || value instanceof Var);
      return computes ? computed(((PrimValue) expr).value()) : super.rewrite(expr);
    }

    private Call computed(PrimExpr value) {
      Map<Var, Var> own = new IdentityHashMap<>();
      List<Param> params = new ArrayList<>();
      List<Expr> args = new ArrayList<>();
      for (Var var : Symbols.usedBy(value)) {
        Var param = new Var(var.name(), var.dtype());
        own.put(var, param);
        params.add(new Param.OfScalar(param));
        args.add(new PrimValue(var));
      }
      PrimFunc function =
          new PrimFunc(
              "compute_symbolic_expr",
              params,
              value.dtype(),
              new Return(Substitution.in(value, own)),
              HostFunctions.ATTRS);
      GlobalVar name = builder.addFunction(new KernelFunction(function), function.name());
      return Call.of(name, args.toArray(Expr[]::new));
    }
  }
}
