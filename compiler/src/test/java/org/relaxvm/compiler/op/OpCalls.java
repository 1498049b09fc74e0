package org.relaxvm.compiler.op;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.stream.Stream;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.builder.BlockBuilder;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Binding;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.KernelFunction;
import org.relaxvm.compiler.ir.ModuleFunction;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.ir.TupleGetItem;
import org.relaxvm.compiler.pass.PassContext;
import org.relaxvm.compiler.pass.fuse.LegalizeOps;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.eval.Evaluator;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Var;

/** Single calls of operators: their types, the messages of wrong ones, and what kernels compute. */
public final class OpCalls {
  private OpCalls() {}

  /** A parameter that is a tensor of known shape. */
  public static RelaxVar tensor(String name, DType dtype, Object... dims) {
    return new RelaxVar(name, TensorType.of(dtype, dims));
  }

  /** A parameter of float32. */
  public static RelaxVar floats(String name, Object... dims) {
    return tensor(name, DType.FLOAT32, dims);
  }

  /** A parameter of which only the number of axes and the dtype are known. */
  public static RelaxVar ofRank(String name, DType dtype, int ndim) {
    return new RelaxVar(name, TensorType.ofRank(dtype, ndim));
  }

  /** A parameter that is any tensor. */
  public static RelaxVar unknown(String name) {
    return new RelaxVar(name, TensorType.unknown());
  }

  /** A symbolic extent. */
  public static Var symbol(String name) {
    return Var.index(name);
  }

  /** What a call gives. */
  public static Type typeOf(Call call) {
    BlockBuilder builder = new BlockBuilder();
    builder.beginFunction("main", params(call));
    return ((OpDef) call.callee()).infer(call, builder);
  }

  /** What a call gives, as text. */
  public static String textOf(Call call) {
    return typeOf(call).toString();
  }

  /** The whole message of the error that a call is refused with. */
  public static String messageOf(Call call) {
    try {
      Type type = typeOf(call);
      throw new AssertionError("expected an error, but the call gives " + type);
    } catch (InvalidProgramException e) {
      return e.getMessage();
    }
  }

  private static List<RelaxVar> params(Call call) {
    SequencedSet<RelaxVar> params = new LinkedHashSet<>();
    call.args().forEach(arg -> addParams(arg, params));
    return List.copyOf(params);
  }

  private static void addParams(Expr expr, SequencedSet<RelaxVar> params) {
    switch (expr) {
      case RelaxVar var -> params.add(var);
      case Tuple(var fields) -> fields.forEach(field -> addParams(field, params));
      case Call call -> call.args().forEach(arg -> addParams(arg, params));
      default -> {}
    }
  }

  /** The function {@code main} that returns a call, and the kernels that compute it. */
  public static IRModule legalized(Call call) {
    return new LegalizeOps().run(module(call), PassContext.DEFAULT);
  }

  /** A module whose function {@code main} returns a call. */
  public static IRModule module(Call call) {
    BlockBuilder builder = new BlockBuilder();
    List<RelaxVar> params = params(call);
    builder.beginFunction("main", params);
    builder.beginBlock(true);
    RelaxVar result = builder.emitOutput(call);
    builder.endBlock();
    Attrs attrs = Attrs.of(RelaxFunction.GLOBAL_SYMBOL, "main");
    builder.put(
        new GlobalVar("main"), builder.endFunction(params, result, Optional.empty(), true, attrs));
    return builder.module();
  }

  /** The values of all bindings of {@code main}, in order. */
  public static List<Expr> values(IRModule module) {
    return main(module).body().blocks().stream()
        .flatMap(block -> block.bindings().stream())
        .map(Binding::value)
        .toList();
  }

  /** The function {@code main}. */
  public static RelaxFunction main(IRModule module) {
    return requireNonNull(module.relaxFunctions().get(new GlobalVar("main")));
  }

  /**
   * The tensors that a call gives, computed by its kernels.
   *
   * @param args one for each variable of the call, in the order of their first use
   */
  public static List<Tensor> compute(Call call, Tensor... args) {
    return compute(legalized(call), args);
  }

  /** The tensors that {@code main} gives. */
  public static List<Tensor> compute(IRModule module, Tensor... args) {
    RelaxFunction main = main(module);
    Map<RelaxVar, List<Tensor>> values = new IdentityHashMap<>();
    for (int i = 0; i < args.length; i++) {
      values.put(main.params().get(i), List.of(args[i]));
    }
    main.body()
        .blocks()
        .forEach(
            block ->
                block
                    .bindings()
                    .forEach(b -> values.put(b.var(), valueOf(module, b.value(), values))));
    return valueOf(module, main.body().body(), values);
  }

  private static List<Tensor> valueOf(
      IRModule module, Expr expr, Map<RelaxVar, List<Tensor>> values) {
    return switch (expr) {
      case RelaxVar var -> requireNonNull(values.get(var));
      case Tuple(var fields) ->
          fields.stream().flatMap(field -> valueOf(module, field, values).stream()).toList();
      case TupleGetItem(Expr tuple, int index) ->
          List.of(valueOf(module, tuple, values).get(index));
      case Call call when call.isOf("call_tir") -> run(module, call, values);
      default -> throw new AssertionError("no kernel computes " + expr);
    };
  }

  private static List<Tensor> run(IRModule module, Call call, Map<RelaxVar, List<Tensor>> values) {
    List<Tensor> outputs = outputs(call.type()).map(OpCalls::output).toList();
    List<Tensor> all = new ArrayList<>(valueOf(module, call.args().get(1), values));
    all.addAll(outputs);
    new Evaluator().run(kernel(module, call), all);
    return outputs;
  }

  /** The kernel that a call calls. */
  static PrimFunc kernel(IRModule module, Call call) {
    ModuleFunction kernel = module.functions().get((GlobalVar) call.args().getFirst());
    return ((KernelFunction) requireNonNull(kernel)).kernel();
  }

  private static Stream<TensorType> outputs(Type type) {
    return switch (type) {
      case TensorType tensor -> Stream.of(tensor);
      case TupleType(var fields) -> fields.stream().flatMap(OpCalls::outputs);
      default -> throw new AssertionError("a kernel gives no " + type);
    };
  }

  private static Tensor output(TensorType type) {
    long[] dims =
        type.dims().orElseThrow().stream().mapToLong(dim -> ((IntImm) dim).value()).toArray();
    return Tensor.zeros(type.dtype().orElseThrow(), Shape.of(dims));
  }
}
