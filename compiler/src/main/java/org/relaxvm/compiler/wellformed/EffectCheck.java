package org.relaxvm.compiler.wellformed;

import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.compiler.ir.Binding;
import org.relaxvm.compiler.ir.BindingBlock;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.If;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.rewrite.Purity;

/** Choices and calls with effects stand where they may: WF-13 to WF-16. */
final class EffectCheck extends LocatedVisitor {
  private final Purity purity;
  private String name;
  private boolean inDataflow;
  private boolean isPure;

  EffectCheck(GlobalVar function, IRModule module) {
    super(function);
    this.name = function.name();
    this.purity = Purity.in(module);
  }

  @Override
  public void visit(Expr expr) {
    switch (expr) {
      case RelaxFunction function -> visitFunction(function);
      case If choice when inDataflow ->
          throw error(
              ErrorKind.VALUE,
              "a choice stands in a dataflow block; expected it between dataflow blocks");
      case Call call when purity.isImpure(call) -> requireEffectAllowed(call);
      default -> super.visit(expr);
    }
  }

  private void requireEffectAllowed(Call call) {
    if (inDataflow) {
      throw error(
          ErrorKind.VALUE,
          "the call "
              + call
              + " has an effect, and stands in a dataflow block; expected it between"
              + " dataflow blocks, or call_pure_packed where there is none");
    }
    if (isPure) {
      throw error(
          ErrorKind.VALUE,
          "the function "
              + name
              + " is pure, but the call "
              + call
              + " has an effect; expected a function that is not pure, or one with the attribute "
              + RelaxFunction.FORCE_PURE);
    }
  }

  private void visitFunction(RelaxFunction function) {
    boolean forced = locating(() -> function.attrs().bool(RelaxFunction.FORCE_PURE)).orElse(false);
    if (forced && !function.isPure()) {
      throw error(
          ErrorKind.VALUE,
          "the function "
              + name
              + " has the attribute "
              + RelaxFunction.FORCE_PURE
              + ", but is not pure; expected a pure one");
    }
    boolean outerDataflow = inDataflow;
    boolean outerPure = isPure;
    inDataflow = false;
    isPure = function.isPure() && !forced;
    visit(function.body());
    inDataflow = outerDataflow;
    isPure = outerPure;
  }

  @Override
  public void visit(BindingBlock block) {
    boolean outer = inDataflow;
    inDataflow = block.isDataflow();
    super.visit(block);
    inDataflow = outer;
  }

  @Override
  void look(Binding binding) {
    String outer = name;
    name = binding.value() instanceof RelaxFunction ? binding.var().name() : name;
    super.look(binding);
    name = outer;
  }
}
