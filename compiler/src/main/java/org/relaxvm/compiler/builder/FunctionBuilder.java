package org.relaxvm.compiler.builder;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.If;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.SeqExpr;
import org.relaxvm.compiler.type.FuncType;
import org.relaxvm.compiler.type.Type;

/**
 * A function that is being built. Expressions may be nested: parts get variables of their own.
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
  private final GlobalVar name;
  private final List<RelaxVar> params = new ArrayList<>();
  private Optional<Type> result = Optional.empty();
  private Attrs attrs;
  private boolean isPure = true;

  private FunctionBuilder(BlockBuilder builder, GlobalVar name) {
    this.builder = builder;
    this.name = name;
    this.attrs = Attrs.of(RelaxFunction.GLOBAL_SYMBOL, name.name());
  }

  static RelaxFunction build(
      BlockBuilder builder, GlobalVar name, Function<FunctionBuilder, Expr> body) {
    FunctionBuilder function = new FunctionBuilder(builder, name);
    builder.beginFunction(name.name(), List.of());
    builder.beginBlock(false);
    Expr value = body.apply(function);
    builder.endBlock();
    return builder.endFunction(
        function.params, value, function.result, function.isPure, function.attrs);
  }

  /** The next parameter. A symbolic variable that stands alone as an extent becomes known. */
  public RelaxVar param(String paramName, Type type) {
    RelaxVar param = new RelaxVar(paramName, type);
    params.add(param);
    builder.addParam(param);
    return param;
  }

  /** Says what the function gives, so that it can call itself: behind the last parameter. */
  public void returns(Type type) {
    result = Optional.of(type);
    List<Type> types = params.stream().map(RelaxVar::type).toList();
    builder.declare(name, FuncType.of(types, type, isPure));
  }

  /** The function itself, for calls from its body; {@link #returns} comes first. */
  public GlobalVar self() {
    return name;
  }

  /** Says that a call has effects; in front of {@link #returns}. */
  public void impure() {
    isPure = false;
  }

  /** Adds a note to the function. */
  public void attr(String key, Object value) {
    attrs = attrs.with(key, value);
  }

  /** Makes the function one that only its module sees. */
  public void local() {
    attrs = attrs.without(RelaxFunction.GLOBAL_SYMBOL);
  }

  /** Binds an expression to a variable. */
  public RelaxVar emit(Expr value) {
    return builder.emit(value);
  }

  /** Binds an expression to a variable with a name like this one. */
  public RelaxVar emit(String hint, Expr value) {
    return builder.emit(value, hint);
  }

  /** Says that a value is of a type, which is checked when the program runs. */
  public RelaxVar matchCast(Expr value, Type type) {
    return builder.emitMatchCast(value, type);
  }

  /**
   * A dataflow block: its bindings are pure, and operators in it are fused.
   *
   * @param body emits bindings and gives the result
   * @return the result as it is seen behind the block
   */
  public RelaxVar dataflow(Supplier<Expr> body) {
    builder.beginBlock(true);
    RelaxVar output = builder.emitOutput(body.get());
    builder.endBlock();
    return output;
  }

  /**
   * A value that depends on a condition.
   *
   * @param condition a bool tensor without axes
   * @param whenTrue emits the bindings of its branch and gives its result
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
