package org.relaxvm.compiler.pass.simplify;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Binding;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.If;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.ir.TupleGetItem;
import org.relaxvm.compiler.ir.VarBinding;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.core.CallOps;
import org.relaxvm.compiler.pass.ExprMutator;
import org.relaxvm.compiler.pass.Pass;
import org.relaxvm.compiler.pass.PassContext;
import org.relaxvm.compiler.rewrite.FreeVars;
import org.relaxvm.compiler.rewrite.FreshCopy;
import org.relaxvm.compiler.type.FuncType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.compiler.type.check.Symbols;
import org.relaxvm.tir.expr.Var;

/**
 * Makes local functions functions of the module. What a local function uses from around it becomes
 * parameters after its own ones, and a closure holds their values; a local function that uses
 * nothing is called directly. Sizes that no tensor among the parameters says reach it as a shape.
 *
 * <p>Source: docs/spec/passes.md, section 18.
 */
public record LambdaLift() implements Pass {
  @Override
  public String name() {
    return "LambdaLift";
  }

  @Override
  public IRModule run(IRModule module, PassContext context) {
    return new Lifting(module).run();
  }

  /**
   * A function that was lifted and is still to be rewritten itself.
   *
   * @param path the names of the functions around it, from the outside, and its own
   */
  private record Lifted(GlobalVar name, RelaxFunction function, List<String> path) {}

  /**
   * What calls of a variable become.
   *
   * @param captured arguments that follow those of the call
   */
  private record Target(GlobalVar name, List<Expr> captured) {}

  private static final class Lifting extends ExprMutator {
    private final Deque<Lifted> open = new ArrayDeque<>();
    private final Map<RelaxVar, Target> targets = new IdentityHashMap<>();
    private final Map<RelaxVar, Boolean> closures = new IdentityHashMap<>();
    private List<String> path = List.of();

    Lifting(IRModule module) {
      super(module);
    }

    @Override
    public IRModule run() {
      super.run();
      while (!open.isEmpty()) {
        Lifted next = open.removeFirst();
        path = next.path();
        builder.put(next.name(), rewriteFunction(next.name().name(), next.function()));
      }
      return builder.module();
    }

    @Override
    protected RelaxFunction rewrite(GlobalVar name, RelaxFunction function) {
      path = List.of(name.name());
      return super.rewrite(name, function);
    }

    @Override
    protected void rewrite(Binding binding) {
      switch (binding) {
        case VarBinding(RelaxVar var, RelaxFunction function) -> {
          Target target = lift(var, function);
          if (target.captured().isEmpty()) {
            targets.put(var, target);
          } else {
            closures.put(var, function.isPure());
            reEmit((VarBinding) binding, closure(target));
          }
        }
        case VarBinding(RelaxVar var, Expr value) -> {
          boolean isFunction =
              switch (value) {
                case RelaxVar other -> targets.containsKey(other) || closures.containsKey(other);
                case Call call -> true;
                case If choice -> true;
                case TupleGetItem item -> true;
                default -> false;
              };
          if (isFunction && var.type() instanceof FuncType type) {
            closures.put(var, type.isPure());
          }
          super.rewrite(binding);
        }
        default -> super.rewrite(binding);
      }
    }

    private static Call closure(Target target) {
      return Call.of(CallOps.MAKE_CLOSURE, target.name(), new Tuple(target.captured()));
    }

    private Target lift(RelaxVar var, RelaxFunction function) {
      SequencedSet<RelaxVar> free = FreeVars.of(function);
      free.remove(var);
      free.removeIf(v -> targets.containsKey(v) && targets.get(v).captured().isEmpty());
      List<RelaxVar> params = new ArrayList<>(function.params());
      List<Expr> captured = new ArrayList<>();
      Map<RelaxVar, Expr> replaced = new IdentityHashMap<>();
      for (RelaxVar outer : free) {
        Expr value = rewriteArgument(outer);
        RelaxVar param = new RelaxVar(outer.name(), value.type());
        params.add(param);
        captured.add(value);
        replaced.put(outer, param);
      }
      List<Var> sizes = unsaid(function, params);
      if (!sizes.isEmpty()) {
        ShapeExpr shape = new ShapeExpr(List.copyOf(sizes));
        params.add(new RelaxVar("sizes", shape.type()));
        captured.add(shape);
      }
      RelaxVar self = new RelaxVar(var.name(), var.type());
      replaced.put(var, self);
      RelaxFunction copy =
          FreshCopy.of(
              new RelaxFunction(
                  params,
                  function.body(),
                  function.resultType(),
                  function.isPure(),
                  function.attrs()),
              replaced);
      int own = function.params().size();
      List<RelaxVar> held = copy.params().subList(own, params.size());
      int index = 0;
      for (RelaxVar outer : free) {
        if (closures.containsKey(outer)) {
          closures.put(held.get(index), closures.get(outer));
        } else if (targets.containsKey(outer)) {
          closures.put(held.get(index), ((FuncType) outer.type()).isPure());
        }
        index++;
      }
      GlobalVar name = name(var, function);
      targets.put(self, new Target(name, List.copyOf(held)));
      builder.declare(name, copy.functionType());
      List<String> inner = new ArrayList<>(path);
      inner.add(var.name());
      open.addLast(new Lifted(name, copy, inner));
      return new Target(name, captured);
    }

    /** The symbolic variables that a function needs and that none of these parameters says. */
    private static List<Var> unsaid(RelaxFunction function, List<RelaxVar> params) {
      SequencedSet<Var> used = new LinkedHashSet<>(FreeVars.symbolsOf(function));
      params.forEach(param -> used.addAll(Symbols.usedBy(param.type())));
      used.removeAll(Symbols.definedBy(params.stream().map(RelaxVar::type).toList()));
      return List.copyOf(used);
    }

    private GlobalVar name(RelaxVar var, RelaxFunction function) {
      Optional<String> symbol = function.attrs().text(RelaxFunction.GLOBAL_SYMBOL);
      if (symbol.isPresent()) {
        GlobalVar name = new GlobalVar(symbol.get());
        if (builder.find(name).isPresent()) {
          throw new InvalidProgramException(
              ErrorKind.VALUE,
              "the local function "
                  + var.name()
                  + " of "
                  + path.getFirst()
                  + " has the global_symbol "
                  + name.name()
                  + ", which is the name of another function of the module\n"
                  + "  what to do: give it another global_symbol, or none");
        }
        return name;
      }
      String hint = path.getFirst() + "_" + var.name();
      String full = String.join("_", path) + "_" + var.name();
      return builder.reserve(builder.find(new GlobalVar(hint)).isPresent() ? full : hint);
    }

    @Override
    protected Expr rewrite(Call call) {
      if (!(call.callee() instanceof RelaxVar callee)) {
        return super.rewrite(withDirect(call));
      }
      Target target = targets.get(callee);
      if (target != null) {
        List<Expr> args = new ArrayList<>(rewriteArguments(withDirect(call).args()));
        args.addAll(target.captured());
        return builder.normalize(Call.of(target.name(), args, call.attrs(), call.typeArgs()));
      }
      Boolean isPure = closures.get(callee);
      if (isPure == null) {
        return super.rewrite(withDirect(call));
      }
      OpDef invoke = isPure ? CallOps.INVOKE_PURE_CLOSURE : CallOps.INVOKE_CLOSURE;
      Expr args = new Tuple(rewriteArguments(call.args()));
      List<Type> result = List.of(rewriteType(call.type()));
      return builder.normalize(
          Call.of(invoke, List.of(rewriteArgument(callee), args), Attrs.NONE, result));
    }

    /** A function without captured values is passed by its name. */
    private Call withDirect(Call call) {
      List<Expr> args = new ArrayList<>();
      for (Expr arg : call.args()) {
        Target target = arg instanceof RelaxVar var ? targets.get(var) : null;
        args.add(target != null && target.captured().isEmpty() ? target.name() : arg);
      }
      return args.equals(call.args()) ? call : call.withArgs(args).withType(call.type());
    }

    /** A function as a value is a closure, also one that holds nothing. */
    @Override
    protected Expr rewrite(Expr expr) {
      return expr instanceof RelaxVar var && targets.containsKey(var)
          ? closure(targets.get(var))
          : super.rewrite(expr);
    }
  }
}
