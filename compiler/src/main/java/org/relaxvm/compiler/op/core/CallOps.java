package org.relaxvm.compiler.op.core;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.ExternFunc;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.ir.TupleGetItem;
import org.relaxvm.compiler.op.AttrSpec;
import org.relaxvm.compiler.op.AttrSpec.Kind;
import org.relaxvm.compiler.op.OpCall;
import org.relaxvm.compiler.op.OpContext;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.type.AnyType;
import org.relaxvm.compiler.type.FuncType;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.TensorShape;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.compiler.type.check.CallDerivation;

/**
 * Calls of kernels, packed functions and closures. Source: docs/spec/relax-ir.md, sections 6.2 and
 * 6.3.
 */
public final class CallOps {
  /** {@code call_tir(kernel, (args...)[, sizes])}: what it gives is said by its type argument. */
  public static final OpDef CALL_TIR =
      OpDef.named("call_tir")
          .args("func", "args")
          .optionalArgs("tir_vars")
          .rule(CallOps::output)
          .normalizer(CallOps::inlineTuple)
          .validator(CallTirCheck::validate)
          .build();

  /** {@code call_tir} of a kernel that training differentiates. */
  public static final OpDef CALL_TIR_WITH_GRAD =
      OpDef.named("call_tir_with_grad")
          .args("func", "args")
          .optionalArgs("tir_vars")
          .attrs(
              AttrSpec.required("te_grad_name", Kind.TEXT),
              AttrSpec.optional("te_grad_kwargs", Kind.ANY))
          .rule(CallOps::output)
          .normalizer(CallOps::inlineTuple)
          .validator(CallTirCheck::validate)
          .build();

  /** {@code call_tir} whose outputs may lie where inputs do. */
  public static final OpDef CALL_TIR_INPLACE =
      OpDef.named("call_tir_inplace")
          .args("func", "args")
          .optionalArgs("tir_vars")
          .attrs(AttrSpec.required(InPlace.INDICES, Kind.INTEGERS))
          .rule(CallOps::output)
          .normalizer(CallOps::inlineTuple)
          .validator(CallTirCheck::validateInPlace)
          .build();

  /** A call of a packed function that writes its outputs, which are its last arguments. */
  public static final OpDef CALL_DPS_PACKED =
      OpDef.named("call_dps_packed")
          .args("func", "args")
          .rule(CallOps::output)
          .normalizer(CallOps::inlineTuple)
          .build();

  /** A call of a packed function of which the program says that it has no effect. */
  public static final OpDef CALL_PURE_PACKED =
      OpDef.named("call_pure_packed").args("func").variadic().rule(CallOps::ofOpaque).build();

  /** A call of a packed function that changes some of its arguments and nothing else. */
  public static final OpDef CALL_INPLACE_PACKED =
      OpDef.named("call_inplace_packed")
          .args("func")
          .variadic()
          .attrs(AttrSpec.required(InPlace.INDICES, Kind.INTEGERS))
          .rule(CallOps::inPlace)
          .build();

  /** A call of a builtin that gets the running VM as its first argument. */
  public static final OpDef CALL_BUILTIN_WITH_CTX =
      OpDef.named("call_builtin_with_ctx")
          .args("func", "args")
          .impure()
          .rule(
              call ->
                  call.call().typeArgs().isEmpty()
                      ? TupleType.VOID
                      : CallDerivation.byTypeArgs(call.call().typeArgs()))
          .build();

  /** A call of a function of the host language by its name. */
  public static final OpDef CALL_PY_FUNC =
      OpDef.named("call_py_func").args("name", "args").rule(CallOps::byTypeArgs).build();

  /** A function with some of its last arguments. */
  public static final OpDef MAKE_CLOSURE =
      OpDef.named("make_closure").args("func", "args").rule(call -> AnyType.ANY).build();

  /** A call of a closure. */
  public static final OpDef INVOKE_CLOSURE =
      OpDef.named("invoke_closure")
          .args("closure", "args")
          .impure()
          .rule(CallOps::byTypeArgs)
          .build();

  /** A call of a closure that has no effect. */
  public static final OpDef INVOKE_PURE_CLOSURE =
      OpDef.named("invoke_pure_closure").args("closure", "args").rule(CallOps::byTypeArgs).build();

  /** A call of a kernel with sizes after its tensors. */
  public static final OpDef CALL_TIR_DYN =
      OpDef.named("vm.call_tir_dyn")
          .args("func", "args")
          .impure()
          .rule(call -> TupleType.VOID)
          .build();

  private CallOps() {}

  /** All of them. */
  public static List<OpDef> all() {
    return List.of(
        CALL_TIR,
        CALL_TIR_WITH_GRAD,
        CALL_TIR_INPLACE,
        CALL_DPS_PACKED,
        CALL_PURE_PACKED,
        CALL_INPLACE_PACKED,
        CALL_BUILTIN_WITH_CTX,
        CALL_PY_FUNC,
        MAKE_CLOSURE,
        INVOKE_CLOSURE,
        INVOKE_PURE_CLOSURE,
        CALL_TIR_DYN);
  }

  /** A call of a kernel that gives a result of this type. */
  public static Call callTir(Expr kernel, List<? extends Expr> args, Type result) {
    return Call.of(
        CALL_TIR, List.of(kernel, new Tuple(List.copyOf(args))), Attrs.NONE, List.of(result));
  }

  /** A call of a packed function that writes its outputs. */
  public static Call callDpsPacked(String function, List<? extends Expr> args, Type result) {
    return Call.of(
        CALL_DPS_PACKED,
        List.of(new ExternFunc(function), new Tuple(List.copyOf(args))),
        Attrs.NONE,
        List.of(result));
  }

  /** A call of a packed function that has no effect. */
  public static Call callPurePacked(String function, List<? extends Expr> args, Type result) {
    List<Expr> all = new ArrayList<>(args);
    all.addFirst(new ExternFunc(function));
    return Call.of(CALL_PURE_PACKED, all, Attrs.NONE, List.of(result));
  }

  /**
   * Whether a packed function of this name reads tensors of any device and gives those of the host.
   */
  public static boolean givesHostTensors(String function) {
    return function.startsWith("relax.run.") || function.startsWith("relaxvm.host.");
  }

  /** A call of a builtin that gets the running VM. */
  public static Call withContext(String builtin, List<? extends Expr> args, Type... result) {
    return Call.of(
        CALL_BUILTIN_WITH_CTX,
        List.of(new ExternFunc(builtin), new Tuple(List.copyOf(args))),
        Attrs.NONE,
        List.of(result));
  }

  private static Type byTypeArgs(OpCall call) {
    return CallDerivation.byTypeArgs(call.call().typeArgs());
  }

  private static Type output(OpCall call) {
    List<Type> given = call.call().typeArgs();
    if (given.size() != 1 || !isOutput(given.getFirst())) {
      throw call.typeError(
          "what it gives must be said once as out_ty: a tensor of known shape and dtype, or a tuple"
              + " of such, but is "
              + given);
    }
    if (!(call.type(1) instanceof TupleType)) {
      throw call.wrong(1, "a tuple");
    }
    if (call.size() > 2 && !(call.type(2) instanceof ShapeType)) {
      throw call.wrong(2, "a shape");
    }
    return given.getFirst();
  }

  private static boolean isOutput(Type type) {
    return switch (type) {
      case TensorType tensor ->
          tensor.dtype().isPresent() && tensor.shape().orElse(null) instanceof TensorShape.Known;
      case TupleType(var fields) -> fields.stream().allMatch(CallOps::isOutput);
      default -> false;
    };
  }

  private static Type ofOpaque(OpCall call) {
    if (!(call.type(0) instanceof FuncType function)) {
      return byTypeArgs(call);
    }
    if (!function.isOpaque()) {
      throw call.typeError(
          "the function must be a packed one, but " + call.arg(0) + " is " + function);
    }
    return function.derivesByTypeArgs() ? byTypeArgs(call) : function.result();
  }

  private static Type inPlace(OpCall call) {
    Type result = ofOpaque(call);
    List<Type> outputs = result instanceof TupleType(var fields) ? fields : List.of(result);
    List<Type> inputs = IntStream.range(1, call.size()).mapToObj(call::type).toList();
    InPlace.check(call, inputs, outputs);
    return result;
  }

  /** The arguments of a kernel stand in the call, not in a variable. */
  private static Expr inlineTuple(Call call, OpContext context) {
    Expr args = call.args().get(1);
    Expr bound = args;
    while (bound instanceof RelaxVar var && context.lookup(var).isPresent()) {
      bound = context.lookup(var).orElseThrow();
    }
    if (args instanceof Tuple || !(args.type() instanceof TupleType(var fields))) {
      return call;
    }
    List<Expr> items = new ArrayList<>();
    for (int i = 0; i < fields.size(); i++) {
      items.add(bound instanceof Tuple(var known) ? known.get(i) : new TupleGetItem(args, i));
    }
    List<Expr> all = new ArrayList<>(call.args());
    all.set(1, new Tuple(items));
    return call.withArgs(all);
  }
}
