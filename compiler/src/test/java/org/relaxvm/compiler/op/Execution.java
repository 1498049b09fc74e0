package org.relaxvm.compiler.op;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.builder.BlockBuilder;
import org.relaxvm.compiler.ir.Binding;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Constant;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.KernelFunction;
import org.relaxvm.compiler.ir.MatchCast;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.ir.TupleGetItem;
import org.relaxvm.compiler.pass.PassContext;
import org.relaxvm.compiler.pass.fuse.LegalizeOps;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.arith.Analyzer;
import org.relaxvm.tir.eval.Evaluator;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.Substitution;

/** Legalizes an expression, and runs the kernels that it calls on data. */
public final class Execution {
  private final Map<Expr, Object> values = new IdentityHashMap<>();
  private final Map<Var, PrimExpr> sizes = new IdentityHashMap<>();
  private final IRModule module;

  private Execution(IRModule module) {
    this.module = module;
  }

  /** A function with the expression as its result, after legalization. */
  public static IRModule legalize(Expr expr) {
    BlockBuilder builder = new BlockBuilder();
    List<RelaxVar> params = Rules.params(expr);
    builder.function(
        "main",
        f -> {
          params.forEach(param -> builder.addParam(param));
          return f.emit(expr);
        });
    return new LegalizeOps().run(builder.module(), PassContext.DEFAULT);
  }

  /** The names of the kernels that compute an expression. */
  public static List<String> kernels(Expr expr) {
    return legalize(expr).kernels().keySet().stream().map(GlobalVar::name).toList();
  }

  /**
   * The value of an expression.
   *
   * @param args for each of its variables, in the order of first use
   */
  public static Object run(Expr expr, Tensor... args) {
    IRModule module = legalize(expr);
    Execution execution = new Execution(module);
    List<RelaxVar> params = Rules.params(expr);
    assertThat(args).hasSameSizeAs(params);
    for (int i = 0; i < args.length; i++) {
      execution.values.put(params.get(i), args[i]);
      execution.learn(((TensorType) params.get(i).type()).dims().orElseThrow(), args[i].shape());
    }
    RelaxFunction main = module.relaxFunctions().firstEntry().getValue();
    main.body().bindings().forEach(execution::bind);
    return execution.value(main.body().body());
  }

  /** The value of an expression that is a tensor, as its text. */
  public static String text(Expr expr, Tensor... args) {
    return print(run(expr, args));
  }

  private static String print(Object value) {
    if (value instanceof List<?> parts) {
      return parts.stream().map(Execution::print).toList().toString();
    }
    Tensor tensor = (Tensor) value;
    List<?> elements =
        tensor.dtype().isFloat()
            ? Arrays.stream(tensor.toDoubleArray()).boxed().toList()
            : Arrays.stream(tensor.toLongArray()).boxed().toList();
    return tensor.dtype() + " " + tensor.shape() + " " + elements;
  }

  private void learn(List<PrimExpr> dims, Shape shape) {
    assertThat(dims).hasSize(shape.rank());
    for (int axis = 0; axis < dims.size(); axis++) {
      if (dims.get(axis) instanceof Var var) {
        sizes.putIfAbsent(var, IntImm.of(shape.dim(axis)));
      }
      assertThat(number(dims.get(axis))).isEqualTo(shape.dim(axis));
    }
  }

  private void bind(Binding binding) {
    Object value = value(binding.value());
    values.put(binding.var(), value);
    if (binding instanceof MatchCast cast && cast.target() instanceof ShapeType target) {
      learn(target.dims().orElseThrow(), (Shape) value);
    }
  }

  private long number(PrimExpr expr) {
    return ((IntImm) scalar(expr)).value();
  }

  private PrimExpr scalar(PrimExpr expr) {
    return new Analyzer().simplify(Substitution.in(expr, sizes));
  }

  private Object value(Expr expr) {
    return switch (expr) {
      case RelaxVar var -> known(values.get(var), var);
      case Constant constant -> constant.data();
      case Tuple(var fields) -> fields.stream().map(this::value).toList();
      case TupleGetItem(Expr tuple, int index) -> ((List<?>) value(tuple)).get(index);
      case PrimValue(PrimExpr value) ->
          switch (scalar(value)) {
            case IntImm imm when imm.dtype().equals(DType.BOOL) -> imm.value() != 0;
            case IntImm imm -> imm.value();
            case FloatImm imm -> imm.value();
            default -> throw new AssertionError("no constant: " + value);
          };
      case ShapeExpr(var dims) -> shape(dims);
      case Call call when call.isOf("call_tir") -> kernel(call);
      case Call call when call.isOf("tensor_to_shape") ->
          Shape.of(((Tensor) value(call.args().getFirst())).toLongArray());
      default -> throw new AssertionError("was not legalized: " + expr);
    };
  }

  private static Object known(@Nullable Object value, RelaxVar var) {
    if (value == null) {
      throw new AssertionError("no value of " + var);
    }
    return value;
  }

  private Shape shape(List<PrimExpr> dims) {
    return Shape.of(dims.stream().mapToLong(this::number).toArray());
  }

  private Object kernel(Call call) {
    KernelFunction kernel = (KernelFunction) module.require((GlobalVar) call.args().getFirst());
    List<Object> args = new ArrayList<>((List<?>) value(call.args().get(1)));
    List<Type> types = call.type() instanceof TupleType(var fields) ? fields : List.of(call.type());
    List<Object> outputs = new ArrayList<>();
    for (Type type : types) {
      TensorType tensor = (TensorType) type;
      outputs.add(Tensor.zeros(tensor.dtype().orElseThrow(), shape(tensor.dims().orElseThrow())));
    }
    args.addAll(outputs);
    assertThat(new Evaluator().run(kernel.kernel(), args)).isEmpty();
    return call.type() instanceof TupleType ? outputs : outputs.getFirst();
  }
}
