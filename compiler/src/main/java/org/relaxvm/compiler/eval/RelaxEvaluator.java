package org.relaxvm.compiler.eval;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.compiler.ir.Binding;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Constant;
import org.relaxvm.compiler.ir.DataTypeImm;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.ExternFunc;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.If;
import org.relaxvm.compiler.ir.KernelFunction;
import org.relaxvm.compiler.ir.MatchCast;
import org.relaxvm.compiler.ir.Op;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.SeqExpr;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.ir.StringImm;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.ir.TupleGetItem;
import org.relaxvm.compiler.ir.VarBinding;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.eval.Evaluator;
import org.relaxvm.tir.expr.PrimExpr;

/**
 * Runs programs as they are written: of any stage from operators on tensors up to planned memory.
 * It checks what programs say of parameters, results and match_casts. It is slow, and the reference
 * for the compiler: what a compiled program gives differs by rounding at most.
 *
 * <p>A value is a {@link Tensor} on the host; a {@link Shape}; a Long, Double or Boolean for a
 * scalar; a String or {@link DType}; a List for a tuple, empty for no result; or a function. What a
 * program allocates holds the pattern {@code 0xA5} until something is written. Kernels do not
 * change arguments, also where they are called in place. Results may share memory with arguments
 * and constants.
 *
 * <p>Immutable. Calls may be nested {@value #MAX_NESTED_CALLS} deep. Deep ones, packed functions
 * too, run in other threads, one after the other.
 *
 * @param module the program
 * @param packed packed functions by name: of the arguments, which those with outputs write
 */
public record RelaxEvaluator(IRModule module, Map<String, Function<List<Object>, Object>> packed) {
  /** How deep calls may be nested. */
  public static final int MAX_NESTED_CALLS = 20_000;

  /** Copies the map. */
  public RelaxEvaluator {
    packed = Map.copyOf(packed);
  }

  /** An evaluator without packed functions. */
  public RelaxEvaluator(IRModule module) {
    this(module, Map.of());
  }

  /**
   * Runs a function of the module.
   *
   * @param function its name in the module
   * @param args values as above, one for each parameter; borrowed
   * @return the result as such a value
   * @throws RelaxException when a value is not what the program says, or a kernel fails; with the
   *     functions and bindings around
   */
  public Object run(String function, Object... args) {
    return call(new GlobalVar(function), Arrays.asList(args), 0);
  }

  /**
   * Calls a function of the module.
   *
   * @param depth how many calls are around it
   */
  Object call(GlobalVar name, List<Object> args, int depth) {
    return switch (module.require(name)) {
      case RelaxFunction function -> call(name.name(), function, new Scope(null), args, depth);
      case KernelFunction(PrimFunc kernel) -> runKernel(kernel, args);
      case ExternFunc extern -> callPacked(extern.symbol(), args);
    };
  }

  /** Calls a function that is a value. */
  Object call(Closure closure, List<Object> args, int depth) {
    List<Object> all = new ArrayList<>(args);
    all.addAll(closure.last());
    return switch (closure.function()) {
      case GlobalVar name -> call(name, all, depth);
      case ExternFunc extern -> callPacked(extern.symbol(), all);
      case RelaxFunction function ->
          call("(local)", function, new Scope(closure.scope()), all, depth);
      default -> throw notFunction(closure.function());
    };
  }

  private Object call(
      String name, RelaxFunction function, Scope scope, List<Object> args, int depth) {
    if (depth >= MAX_NESTED_CALLS) {
      throw new InvalidProgramException(
          ErrorKind.RUNTIME,
          "calls of functions are nested more than "
              + MAX_NESTED_CALLS
              + " deep, which is the most that the evaluator does; the innermost is of "
              + name
              + "\n"
              + "  what to do: look for recursion that does not end, or run the compiled"
              + " program");
    }
    try {
      return DeepCalls.at(depth, () -> body(function, scope, args, depth));
    } catch (RelaxException e) {
      e.addLocation("function " + name);
      throw e;
    }
  }

  private Object body(RelaxFunction function, Scope scope, List<Object> args, int depth) {
    List<RelaxVar> params = function.params();
    if (args.size() != params.size()) {
      throw new InvalidProgramException(
          ErrorKind.VALUE, "expected " + params.size() + " arguments, but got " + args.size());
    }
    TypeMatch match = new TypeMatch(scope);
    for (int i = 0; i < args.size(); i++) {
      scope.put(params.get(i), args.get(i));
    }
    for (int i = 0; i < args.size(); i++) {
      match.add("the parameter " + params.get(i), params.get(i).type(), args.get(i));
    }
    match.solve();
    Object result = new Body(this, scope, depth + 1).of(function.body());
    TypeMatch end = new TypeMatch(scope);
    end.add("the result", function.resultType(), result);
    end.solve();
    return result;
  }

  /** Runs a kernel on tensors and scalars, outputs too. */
  Object runKernel(PrimFunc kernel, List<Object> args) {
    return new Evaluator().run(kernel, args).orElse(List.of());
  }

  Object callPacked(String name, List<Object> args) {
    Function<List<Object>, Object> function = packed.get(name);
    if (function == null) {
      throw new InvalidProgramException(
          ErrorKind.VALUE,
          "the evaluator has no packed function "
              + name
              + "; it has "
              + packed.keySet().stream().sorted().toList());
    }
    return function.apply(args);
  }

  static InvalidProgramException notFunction(Object value) {
    return new InvalidProgramException(
        ErrorKind.TYPE, "only a function can be called, but not " + value);
  }

  /**
   * Bindings and expressions of one call of a function.
   *
   * @param depth how many calls are around what is called in it
   */
  record Body(RelaxEvaluator evaluator, Scope scope, int depth) {
    Object of(SeqExpr seq) {
      seq.bindings().forEach(this::bind);
      return of(seq.body());
    }

    private void bind(Binding binding) {
      try {
        switch (binding) {
          case VarBinding(RelaxVar var, RelaxFunction function) ->
              scope.put(var, new Closure(function, scope, List.of()));
          case VarBinding(RelaxVar var, Expr value) -> scope.put(var, of(value));
          case MatchCast cast -> {
            Object value = of(cast.value());
            TypeMatch match = new TypeMatch(scope);
            match.add(cast.value().toString(), cast.target(), value);
            match.solve();
            scope.put(cast.var(), value);
          }
        }
      } catch (RelaxException e) {
        e.addLocation(binding.toString());
        throw e;
      }
    }

    Object of(Expr expr) {
      return switch (expr) {
        case RelaxVar var -> scope.get(var);
        case GlobalVar name -> new Closure(name, scope, List.of());
        case ExternFunc extern -> new Closure(extern, scope, List.of());
        case RelaxFunction function -> new Closure(function, scope, List.of());
        case Constant constant -> constant.data();
        case ShapeExpr(List<PrimExpr> dims) -> shape(dims);
        case PrimValue(PrimExpr value) -> scope.scalar(value);
        case StringImm(String text) -> text;
        case DataTypeImm(DType dtype) -> dtype;
        case Tuple(List<Expr> fields) -> all(fields);
        case TupleGetItem(Expr tuple, int index) -> ((List<?>) of(tuple)).get(index);
        case SeqExpr seq -> new Body(evaluator, new Scope(scope), depth).of(seq);
        case If choice ->
            new Body(evaluator, new Scope(scope), depth)
                .of(isTrue(of(choice.condition())) ? choice.whenTrue() : choice.whenFalse());
        case Call call -> call(call);
        case Op op -> throw notFunction(op);
      };
    }

    List<Object> all(List<Expr> exprs) {
      List<Object> values = new ArrayList<>();
      exprs.forEach(expr -> values.add(of(expr)));
      return values;
    }

    Shape shape(List<PrimExpr> dims) {
      return Shape.of(dims.stream().mapToLong(scope::integer).toArray());
    }

    private static boolean isTrue(Object condition) {
      return condition instanceof Tensor tensor ? tensor.longAt() != 0 : (Boolean) condition;
    }

    private Object call(Call call) {
      return switch (call.callee()) {
        case OpDef op -> new OpCalls(this, op, call).run();
        case GlobalVar name -> evaluator.call(name, all(call.args()), depth);
        case ExternFunc extern -> evaluator.callPacked(extern.symbol(), all(call.args()));
        default -> {
          if (!(of(call.callee()) instanceof Closure closure)) {
            throw notFunction(call.callee());
          }
          yield evaluator.call(closure, all(call.args()), depth);
        }
      };
    }
  }
}
