package org.relaxvm.compiler.pass.simplify;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.ir.Constant;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.SeqExpr;
import org.relaxvm.compiler.pass.Pass;
import org.relaxvm.compiler.pass.PassContext;
import org.relaxvm.compiler.rewrite.SymbolInference;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.compiler.type.check.BaseCheck;
import org.relaxvm.compiler.type.check.Fit;

/**
 * Replaces parameters of a function by values, such as weights: the parameters vanish. Symbolic
 * variables that only they say become what the values say.
 *
 * <p>Source: docs/spec/passes.md, section 19.
 *
 * @param function the name of the function
 * @param values by the names of parameters: expressions that use no variable but parameters of the
 *     function
 */
public record BindParams(String function, SequencedMap<String, Expr> values) implements Pass {
  /** Copies the map. */
  public BindParams {
    values = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(values));
  }

  /**
   * Replaces parameters by tensors.
   *
   * @param tensors borrowed: they lie in host memory and are not written any more
   */
  public static BindParams ofTensors(String function, Map<String, Tensor> tensors) {
    SequencedMap<String, Expr> values = new LinkedHashMap<>();
    tensors.forEach((name, tensor) -> values.put(name, new Constant(tensor)));
    return new BindParams(function, values);
  }

  @Override
  public String name() {
    return "BindParams";
  }

  /**
   * {@inheritDoc}
   *
   * @throws InvalidProgramException a {@code ValueError} when there is no such function, or not
   *     exactly one parameter of such a name, or when a symbolic variable is two things or nothing;
   *     a {@code TypeError} when a value can never be what its parameter is
   */
  @Override
  public IRModule run(IRModule module, PassContext context) {
    GlobalVar target = new GlobalVar(function);
    RelaxFunction relax = SymbolChecks.requireRelax(module, target);
    Map<RelaxVar, Expr> byParam = new IdentityHashMap<>();
    values.forEach((name, value) -> byParam.put(param(relax, name), value));
    return module.with(target, bind(module, target, relax, byParam));
  }

  private RelaxVar param(RelaxFunction relax, String name) {
    List<RelaxVar> found =
        relax.params().stream().filter(param -> param.name().equals(name)).toList();
    if (found.size() != 1) {
      throw new InvalidProgramException(
          ErrorKind.VALUE,
          "the function "
              + function
              + " has "
              + (found.isEmpty() ? "no parameter " : found.size() + " parameters of the name ")
              + name
              + "; it has "
              + relax.params()
              + (found.isEmpty()
                  ? "\n  what to do: name one of them"
                  : "\n  what to do: give its parameters different names"));
    }
    return found.getFirst();
  }

  /**
   * A function with values instead of some parameters.
   *
   * @param module the functions that it calls
   * @param name the name of the function, for messages
   */
  public static RelaxFunction bind(
      IRModule module, GlobalVar name, RelaxFunction function, Map<RelaxVar, Expr> values) {
    RelaxFunction bound = new Binder(module, values).bind(name, function);
    SymbolChecks.requireDefined(name, function, bound);
    return bound;
  }

  private static final class Binder extends SymbolRewriter {
    private final Map<RelaxVar, Expr> waiting = new LinkedHashMap<>();
    private final Map<RelaxVar, Expr> values;

    Binder(IRModule module, Map<RelaxVar, Expr> values) {
      super(module);
      this.values = values;
    }

    private static void match(
        SymbolInference inference, GlobalVar name, RelaxVar param, Type type) {
      try {
        inference.match(param.type(), type);
      } catch (InvalidProgramException e) {
        e.addLocation("function " + name.name() + ", parameter " + param.name());
        throw e;
      }
    }

    RelaxFunction bind(GlobalVar name, RelaxFunction function) {
      SymbolInference inference = new SymbolInference(builder.analyzer());
      BaseCheck check = new BaseCheck(builder.analyzer());
      List<RelaxVar> left = new ArrayList<>();
      long inputs = function.attrs().integer(RelaxFunction.NUM_INPUT).orElse(0L);
      long leftInputs = inputs;
      for (int i = 0; i < function.params().size(); i++) {
        RelaxVar param = function.params().get(i);
        Expr value = values.get(param);
        if (value == null) {
          left.add(param);
          continue;
        }
        waiting.put(param, value);
        leftInputs -= i < inputs ? 1 : 0;
        value.knownType().ifPresent(type -> match(inference, name, param, type));
        if (value.knownType().stream()
            .anyMatch(t -> check.check(param.type(), t) == Fit.IMPOSSIBLE)) {
          throw new InvalidProgramException(
              ErrorKind.TYPE,
              "the parameter "
                  + param.name()
                  + " of "
                  + name.name()
                  + " is "
                  + param.type()
                  + ", but the value that replaces it is "
                  + value.type()
                  + "\n  what to do: give a value of the type of the parameter");
        }
      }
      symbols.putAll(inference.values());
      return super.rewrite(
          name,
          new RelaxFunction(
              left,
              function.body(),
              function.resultType(),
              function.isPure(),
              leftInputs == inputs
                  ? function.attrs()
                  : function.attrs().with(RelaxFunction.NUM_INPUT, leftInputs)));
    }

    @Override
    protected Expr rewriteSequence(SeqExpr seq) {
      if (!waiting.isEmpty()) {
        // At the start of the function: what is no leaf is computed once.
        Map<RelaxVar, Expr> now = new LinkedHashMap<>(waiting);
        waiting.clear();
        builder.beginBlock(false);
        now.forEach((param, value) -> replace(param, builder.argument(rewrite(value))));
        builder.endBlock();
      }
      return super.rewriteSequence(seq);
    }
  }
}
