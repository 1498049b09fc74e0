package org.relaxvm.compiler.pass.fuse;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.relaxvm.compiler.builder.BlockBuilder;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.KernelFunction;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.op.KernelCalls;
import org.relaxvm.compiler.op.core.CallOps;
import org.relaxvm.compiler.pass.ScalarConvention;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.Param;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.IrVisitor;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/**
 * Makes kernels for calls of operators. Sizes that no tensor says become scalar parameters, in the
 * order of their first use.
 */
final class KernelMaker implements KernelCalls {
  private final BlockBuilder builder;
  private final ScalarConvention scalars;
  private final UnaryOperator<Expr> legalize;

  /**
   * A maker that adds to a builder.
   *
   * @param legalize what is done to expressions that a legalizer binds
   */
  KernelMaker(BlockBuilder builder, ScalarConvention scalars, UnaryOperator<Expr> legalize) {
    this.builder = builder;
    this.scalars = scalars;
    this.legalize = legalize;
  }

  @Override
  public Expr call(String hint, List<Expr> args, Type result, KernelBody body) {
    List<Type> results = result instanceof TupleType(var fields) ? fields : List.of(result);
    KernelBuilder kernel = new KernelBuilder(hint);
    KernelArguments inputs = new KernelArguments(kernel, args, results);
    List<TensorExpr> outputs = body.outputs(kernel, inputs);
    PrimFunc function = kernel.build(outputs.toArray(TensorExpr[]::new));
    List<Expr> passed = new ArrayList<>(inputs.passed());
    List<Var> unbound = new ArrayList<>();
    List<PrimExpr> sizes = new ArrayList<>();
    Set<Var> free = free(function);
    for (Map.Entry<Var, Var> symbol : inputs.symbols().entrySet()) {
      if (free.contains(symbol.getValue())) {
        unbound.add(symbol.getValue());
        sizes.add(symbol.getKey());
      }
    }
    PrimFunc complete = withScalars(function, unbound, passed.size());
    GlobalVar name = builder.addFunction(new KernelFunction(complete), hint);
    List<Expr> callArgs = new ArrayList<>();
    callArgs.add(name);
    if (scalars == ScalarConvention.INLINE) {
      sizes.forEach(size -> passed.add(new PrimValue(size)));
    }
    callArgs.add(new Tuple(passed));
    if (scalars == ScalarConvention.TRAILING && !sizes.isEmpty()) {
      callArgs.add(new ShapeExpr(sizes));
    }
    return builder.normalize(Call.of(CallOps.CALL_TIR, callArgs, Attrs.NONE, List.of(result)));
  }

  private PrimFunc withScalars(PrimFunc function, List<Var> unbound, int inputs) {
    if (unbound.isEmpty()) {
      return function;
    }
    List<Param> params = new ArrayList<>(function.params());
    int position = scalars == ScalarConvention.INLINE ? inputs : params.size();
    params.addAll(position, unbound.stream().<Param>map(Param.OfScalar::new).toList());
    return new PrimFunc(
        function.name(), params, function.returnType(), function.body(), function.attrs());
  }

  /** The variables that a kernel uses and that no parameter says; outputs say theirs too. */
  private static Set<Var> free(PrimFunc function) {
    Set<Var> said = new HashSet<>();
    Set<Var> used = new HashSet<>();
    for (Param param : function.params()) {
      switch (param) {
        case Param.OfScalar(Var scalar) -> said.add(scalar);
        case Param.OfHandle handle -> {}
        case Param.OfBuffer(Buffer buffer) -> {
          for (PrimExpr extent : buffer.shape()) {
            if (extent instanceof Var var) {
              said.add(var);
            }
          }
        }
      }
    }
    new IrVisitor() {
      @Override
      public void visit(PrimExpr expr) {
        if (expr instanceof Var var) {
          used.add(var);
        }
        super.visit(expr);
      }
    }.visit(function);
    used.removeAll(said);
    return used;
  }

  @Override
  public RelaxVar emit(Expr value) {
    return builder.emit(legalize.apply(value));
  }

  @Override
  public RelaxVar emitMatchCast(Expr value, Type type) {
    return builder.emitMatchCast(legalize.apply(value), type);
  }
}
