package org.relaxvm.compiler.pass.simplify;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.stream.Collectors;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.ModuleFunction;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.pass.Pass;
import org.relaxvm.compiler.pass.PassContext;
import org.relaxvm.compiler.rewrite.FreeVars;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;

/**
 * Replaces symbolic variables by expressions, such as the size of a batch by a number.
 *
 * <p>Source: docs/spec/passes.md, section 19.
 *
 * @param values by the names of variables
 * @param function the name of the function; empty for all functions that have such variables
 */
public record BindSymbolicVars(SequencedMap<String, PrimExpr> values, Optional<String> function)
    implements Pass {
  /** Copies the map. */
  public BindSymbolicVars {
    values = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(values));
  }

  /** Replaces a variable of a function by a number. */
  public static BindSymbolicVars of(String function, String variable, long value) {
    SequencedMap<String, PrimExpr> values = new LinkedHashMap<>();
    values.put(variable, IntImm.of(value));
    return new BindSymbolicVars(values, Optional.of(function));
  }

  @Override
  public String name() {
    return "BindSymbolicVars";
  }

  /**
   * {@inheritDoc}
   *
   * @throws InvalidProgramException a {@code ValueError} when there is no such function, when no
   *     variable or several in one function have such a name, or when an expression mentions a
   *     variable that the function does not know
   */
  @Override
  public IRModule run(IRModule module, PassContext context) {
    SequencedMap<GlobalVar, RelaxFunction> targets = module.relaxFunctions();
    if (function.isPresent()) {
      GlobalVar name = new GlobalVar(function.get());
      targets = new LinkedHashMap<>(Map.of(name, SymbolChecks.requireRelax(module, name)));
    }
    SequencedMap<GlobalVar, ModuleFunction> functions = new LinkedHashMap<>(module.functions());
    List<String> unused = new ArrayList<>(values.keySet());
    targets.forEach(
        (name, relax) -> {
          Map<Var, PrimExpr> found = new IdentityHashMap<>();
          values.forEach(
              (symbol, value) ->
                  find(name, relax, symbol)
                      .ifPresent(
                          var -> {
                            found.put(var, value);
                            unused.remove(symbol);
                          }));
          if (!found.isEmpty()) {
            functions.put(name, bind(module, name, relax, found));
          }
        });
    if (!unused.isEmpty()) {
      throw new InvalidProgramException(
          ErrorKind.VALUE,
          function.map(name -> "the function " + name + " has").orElse("the module has")
              + " no symbolic variable "
              + unused.getFirst()
              + "; "
              + (function.isPresent() ? "it has " : "its functions have ")
              + symbolsOf(targets)
              + "\n  what to do: name one of them");
    }
    return module.withFunctions(functions);
  }

  private static String symbolsOf(Map<GlobalVar, RelaxFunction> functions) {
    String names =
        functions.values().stream()
            .flatMap(function -> FreeVars.symbolsIn(function).stream())
            .map(Var::name)
            .distinct()
            .collect(Collectors.joining(", "));
    return names.isEmpty() ? "none" : names;
  }

  private static Optional<Var> find(GlobalVar name, RelaxFunction function, String symbol) {
    List<Var> found =
        FreeVars.symbolsIn(function).stream().filter(var -> var.name().equals(symbol)).toList();
    if (found.size() > 1) {
      throw new InvalidProgramException(
          ErrorKind.VALUE,
          "the function "
              + name.name()
              + " has "
              + found.size()
              + " symbolic variables of the name "
              + symbol
              + ", so one of them cannot be meant\n  what to do: give them different names");
    }
    return found.stream().findFirst();
  }

  /**
   * A function with expressions instead of symbolic variables.
   *
   * @param module the functions that it calls
   * @param name the name of the function, for messages
   */
  public static RelaxFunction bind(
      IRModule module, GlobalVar name, RelaxFunction function, Map<Var, PrimExpr> values) {
    SymbolRewriter rewriter = new SymbolRewriter(module);
    rewriter.symbols.putAll(values);
    RelaxFunction bound = rewriter.rewrite(name, function);
    SymbolChecks.requireDefined(name, function, bound);
    return bound;
  }
}
