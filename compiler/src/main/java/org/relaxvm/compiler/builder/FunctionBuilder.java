package org.relaxvm.compiler.builder;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.DataflowVar;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.If;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.SeqExpr;
import org.relaxvm.compiler.ir.TupleGetItem;
import org.relaxvm.compiler.ir.VarBinding;
import org.relaxvm.compiler.type.FuncType;
import org.relaxvm.compiler.type.Type;

/**
 * Builds a function. Expressions may be nested: operands are bound to new variables.
 *
 * <pre>{@code
 * BlockBuilder program = new BlockBuilder();
 * program.function("main", f -> {
 *   Var n = Var.index("n");
 *   RelaxVar x = f.param("x", TensorType.of(DType.FLOAT32, n, 784));
 *   return f.dataflow(() -> Nn.relu(Ops.add(Ops.matmul(x, weight), bias)));
 * });
 * IRModule module = program.module();
 * }</pre>
 *
 * <p>Not thread-safe.
 */
public final class FunctionBuilder {
  private final BlockBuilder builder;
  private final String name;
  private final Function<FuncType, Expr> declaration;
  private final List<RelaxVar> params = new ArrayList<>();
  private Optional<Type> result = Optional.empty();
  private Optional<Expr> self = Optional.empty();
  private Attrs attrs = Attrs.NONE;
  private boolean isPure = true;

  private FunctionBuilder(BlockBuilder builder, String name, Function<FuncType, Expr> declaration) {
    this.builder = builder;
    this.name = name;
    this.declaration = declaration;
  }

  static RelaxFunction build(
      BlockBuilder builder, GlobalVar name, Function<FunctionBuilder, Expr> body) {
    FunctionBuilder function =
        new FunctionBuilder(
            builder,
            name.name(),
            type -> {
              builder.declare(name, type);
              return name;
            });
    function.attr(RelaxFunction.GLOBAL_SYMBOL, name.name());
    return function.build(body);
  }

  private RelaxFunction build(Function<FunctionBuilder, Expr> body) {
    builder.beginFunction(name, List.of());
    builder.beginBlock(false);
    Expr value = body.apply(this);
    builder.endBlock();
    return builder.endFunction(params, value, result, isPure, attrs);
  }

  // ---------------------------------------------------------------- what the function is

  /** Adds a parameter. A symbolic variable that is a whole extent is defined by it. */
  public RelaxVar param(String paramName, Type type) {
    requireNotDeclared("the parameter " + paramName);
    RelaxVar param = new RelaxVar(paramName, type);
    params.add(param);
    builder.addParam(param);
    return param;
  }

  /** Declares that calls have side effects; must precede {@link #returns}. */
  public void impure() {
    requireNotDeclared("impure()");
    isPure = false;
  }

  /**
   * Declares the result type, so that the function can call itself; call it after the last
   * parameter.
   */
  public void returns(Type type) {
    requireNotDeclared("a second returns(...)");
    result = Optional.of(type);
    List<Type> types = params.stream().map(RelaxVar::type).toList();
    self = Optional.of(declaration.apply(FuncType.of(types, type, isPure)));
  }

  private void requireNotDeclared(String what) {
    if (self.isPresent()) {
      throw error(what + " comes behind returns(...); expected it in front");
    }
  }

  /** The function itself, for recursive calls; requires {@link #returns}. */
  public Expr self() {
    return self.orElseThrow(
        () ->
            error(
                "a function that calls itself says what it gives; call returns(...) behind the last"
                    + " parameter first"));
  }

  private InvalidProgramException error(String message) {
    InvalidProgramException error = new InvalidProgramException(ErrorKind.VALUE, message);
    error.addLocation("function " + name);
    return error;
  }

  /** Adds an attribute to the function. */
  public void attr(String key, Object value) {
    attrs = attrs.with(key, value);
  }

  /** Makes the function private to its module. */
  public void internal() {
    attrs = attrs.without(RelaxFunction.GLOBAL_SYMBOL);
  }

  // ---------------------------------------------------------------- bindings

  /** Binds an expression to a variable. */
  public RelaxVar emit(Expr value) {
    return builder.emit(value);
  }

  /** Binds an expression to a variable whose name is derived from a hint. */
  public RelaxVar emit(String hint, Expr value) {
    return builder.emit(value, hint);
  }

  /** Binds an expression to a variable that is visible after the dataflow block. */
  public RelaxVar output(Expr value) {
    return builder.emitOutput(value);
  }

  /** The same with a name derived from a hint. */
  public RelaxVar output(String hint, Expr value) {
    return builder.emitOutput(value, hint);
  }

  /** Asserts that a value has a type, which is checked at run time. */
  public RelaxVar matchCast(Expr value, Type type) {
    return builder.emitMatchCast(value, type);
  }

  /** The same with a name derived from a hint. */
  public RelaxVar matchCast(String hint, Expr value, Type type) {
    return builder.emitMatchCast(value, type, hint);
  }

  /** A call of a function of the module, of a local function, or of a function value. */
  public Expr call(Expr function, Expr... args) {
    return Call.of(function, args);
  }

  /**
   * A field of a tuple.
   *
   * @param index from 0
   */
  public Expr item(Expr tuple, int index) {
    return new TupleGetItem(builder.argument(tuple), index);
  }

  /**
   * A local function. It sees all earlier bindings.
   *
   * @param hint its name, made unique
   * @param body adds parameters and bindings to its builder, and returns the result
   */
  public RelaxVar function(String hint, Function<FunctionBuilder, Expr> body) {
    String unique = builder.uniqueName(hint);
    boolean inDataflow = builder.isDataflow();
    FunctionBuilder local =
        new FunctionBuilder(
            builder,
            unique,
            type -> inDataflow ? new DataflowVar(unique, type) : new RelaxVar(unique, type));
    RelaxFunction function = local.build(body);
    RelaxVar var =
        (RelaxVar) local.self.orElseGet(() -> local.declaration.apply(function.functionType()));
    builder.emitNormalized(new VarBinding(var, function));
    return var;
  }

  /**
   * A dataflow block: its bindings are pure, and operators in it are fused.
   *
   * @param body emits bindings and returns the result
   * @return the result as visible after the block
   */
  public RelaxVar dataflow(Supplier<Expr> body) {
    builder.beginBlock(true);
    RelaxVar output = builder.emitOutput(body.get());
    builder.endBlock();
    return output;
  }

  /**
   * A conditional value.
   *
   * @param condition a bool tensor without axes
   * @param whenTrue emits the bindings of its branch and returns its result
   * @param whenFalse the same for the other one
   */
  public RelaxVar choose(Expr condition, Supplier<Expr> whenTrue, Supplier<Expr> whenFalse) {
    Expr leaf = builder.argument(condition);
    return builder.emit(If.of(leaf, branch(whenTrue), branch(whenFalse)));
  }

  private SeqExpr branch(Supplier<Expr> body) {
    builder.beginSequence();
    builder.beginBlock(false);
    Expr value = body.get();
    builder.endBlock();
    return builder.endSequence(value);
  }
}
