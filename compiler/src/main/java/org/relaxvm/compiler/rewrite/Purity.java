package org.relaxvm.compiler.rewrite;

import java.util.Optional;
import java.util.function.Function;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.If;
import org.relaxvm.compiler.ir.ModuleFunction;
import org.relaxvm.compiler.ir.Op;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.SeqExpr;
import org.relaxvm.compiler.type.FuncType;

/**
 * Which calls have an effect beside their result. Source: docs/spec/relax-ir.md, section 9.
 *
 * @param functions finds the functions of the module, such as {@code module::find} or {@code
 *     builder::find}
 */
public record Purity(Function<GlobalVar, Optional<ModuleFunction>> functions) {
  /** The purity of calls in a module. */
  public static Purity in(IRModule module) {
    return new Purity(module::find);
  }

  /**
   * Whether a call has an effect: that of an operator or of a function that has one, and of what is
   * not known to be a pure function. A kernel that is called directly has one, for it writes its
   * outputs.
   */
  public boolean isImpure(Call call) {
    return switch (call.callee()) {
      case Op op -> !op.isPure();
      case GlobalVar name ->
          functions.apply(name).map(found -> !found.functionType().isPure()).orElse(true);
      default ->
          !(call.callee().knownType().orElse(null) instanceof FuncType type && type.isPure());
    };
  }

  /**
   * Whether there is a call with an effect in an expression, also in the branches of a choice. What
   * a local function does counts where it is called, not where it is defined.
   */
  public boolean hasEffect(Expr expr) {
    return switch (expr) {
      case Call call ->
          isImpure(call)
              || hasEffect(call.callee())
              || call.args().stream().anyMatch(this::hasEffect);
      case If choice -> hasEffect(choice.whenTrue()) || hasEffect(choice.whenFalse());
      case SeqExpr seq -> seq.bindings().anyMatch(binding -> hasEffect(binding.value()));
      case RelaxFunction function -> false;
      default -> false;
    };
  }
}
