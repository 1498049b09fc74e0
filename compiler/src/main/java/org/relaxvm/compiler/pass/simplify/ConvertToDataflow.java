package org.relaxvm.compiler.pass.simplify;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import org.relaxvm.compiler.ir.Binding;
import org.relaxvm.compiler.ir.BindingBlock;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.If;
import org.relaxvm.compiler.ir.MatchCast;
import org.relaxvm.compiler.ir.ModuleFunction;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.SeqExpr;
import org.relaxvm.compiler.ir.VarBinding;
import org.relaxvm.compiler.pass.Pass;
import org.relaxvm.compiler.pass.PassContext;
import org.relaxvm.compiler.rewrite.Blocks;
import org.relaxvm.compiler.rewrite.Purity;

/**
 * Makes dataflow blocks of bindings in a row that have no effects and are no choices, and makes
 * existing ones as long as they can be; then {@link CanonicalizeBindings} finds what is seen
 * outside.
 *
 * <p>Source: docs/spec/passes.md, section 19.
 *
 * @param minSize how many bindings a block has at least, unless it was there before
 */
public record ConvertToDataflow(int minSize) implements Pass {
  /** Makes blocks of two bindings or more. */
  public ConvertToDataflow() {
    this(2);
  }

  @Override
  public String name() {
    return "ConvertToDataflow";
  }

  @Override
  public IRModule run(IRModule module, PassContext context) {
    Purity purity = Purity.in(module);
    SequencedMap<GlobalVar, ModuleFunction> functions = new LinkedHashMap<>(module.functions());
    functions.replaceAll(
        (name, function) ->
            function instanceof RelaxFunction relax ? converted(relax, purity) : function);
    return new CanonicalizeBindings().run(module.withFunctions(functions), context);
  }

  private RelaxFunction converted(RelaxFunction function, Purity purity) {
    return function.withBody(converted(function.body(), purity), function.resultType());
  }

  private SeqExpr converted(SeqExpr seq, Purity purity) {
    List<BindingBlock> blocks = new ArrayList<>();
    List<Binding> run = new ArrayList<>();
    boolean wasDataflow = false;
    for (BindingBlock block : seq.blocks()) {
      for (Binding binding : block.bindings()) {
        Expr value = binding.value();
        boolean isPure = block.isDataflow() || !(value instanceof If || purity.hasEffect(value));
        if (isPure) {
          run.add(converted(binding, purity));
          wasDataflow |= block.isDataflow();
        } else {
          blocks.add(new BindingBlock(run, wasDataflow || run.size() >= minSize));
          blocks.add(new BindingBlock(List.of(converted(binding, purity)), false));
          run.clear();
          wasDataflow = false;
        }
      }
    }
    blocks.add(new BindingBlock(run, wasDataflow || run.size() >= minSize));
    return new SeqExpr(Blocks.joined(blocks), seq.body(), seq.knownType());
  }

  private Binding converted(Binding binding, Purity purity) {
    return switch (binding) {
      case VarBinding(RelaxVar var, If choice) ->
          new VarBinding(
              var,
              new If(
                  choice.condition(),
                  converted(choice.whenTrue(), purity),
                  converted(choice.whenFalse(), purity),
                  choice.knownType()));
      case VarBinding(RelaxVar var, RelaxFunction function) ->
          new VarBinding(var, converted(function, purity));
      case VarBinding simple -> simple;
      case MatchCast cast -> cast;
    };
  }
}
