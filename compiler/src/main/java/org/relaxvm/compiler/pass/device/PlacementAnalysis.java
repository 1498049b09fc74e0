package org.relaxvm.compiler.pass.device;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.ir.Binding;
import org.relaxvm.compiler.ir.BindingBlock;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Constant;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.ExternFunc;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.If;
import org.relaxvm.compiler.ir.MatchCast;
import org.relaxvm.compiler.ir.Op;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.SeqExpr;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.ir.TupleGetItem;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.core.CallOps;
import org.relaxvm.compiler.type.ProgramDevices;
import org.relaxvm.compiler.type.VDevice;

/**
 * Finds where the tensors of a module lie. All tensors of an operator are on one device, and so do
 * those of a call and of the function that it calls; {@code to_vdevice} alone has two. What is not
 * said that way the hints say, in their order, then the arguments of packed functions, and at last
 * the module's first virtual device.
 *
 * <p>Rationale: docs/rationale/compiler.md, "Why are device placements found by joining and not by
 * forward propagation?"
 */
final class PlacementAnalysis {
  /** Operators that take tensors from anywhere. */
  private static final Set<String> FROM_ANYWHERE =
      Set.of("print", "assert_op", "null_value", "memory.kill_tensor", "vm.kill_object");

  /** Calls of functions that are not known: their results are where their arguments are. */
  private static final Set<String> OPAQUE =
      Set.of(
          "call_pure_packed",
          "call_inplace_packed",
          "call_builtin_with_ctx",
          "call_py_func",
          "invoke_closure",
          "invoke_pure_closure");

  private final ProgramDevices devices;
  private final Map<GlobalVar, Signature> signatures = new LinkedHashMap<>();
  private final Map<RelaxVar, DevicePlacement> vars = new IdentityHashMap<>();
  private final Map<Object, List<DevicePlacement>> parts = new IdentityHashMap<>();
  private final List<Wish> hints = new ArrayList<>();
  private final List<Wish> outputs = new ArrayList<>();
  private final List<DevicePlacement> all = new ArrayList<>();

  /** Where a function takes and gives. */
  private record Signature(List<DevicePlacement> params, DevicePlacement result) {}

  /** Where a tensor lies if nothing else says it. */
  private record Wish(DevicePlacement.Leaf tensor, DevicePlacement.Leaf wished) {}

  private PlacementAnalysis(ProgramDevices devices) {
    this.devices = devices;
  }

  /**
   * Looks at a module.
   *
   * @throws InvalidProgramException when tensors of one operator are on two devices, or a device is
   *     not declared by the module; with the function and the binding
   */
  static PlacementAnalysis of(IRModule module, ProgramDevices devices) {
    PlacementAnalysis analysis = new PlacementAnalysis(devices);
    module
        .relaxFunctions()
        .forEach(
            (name, function) ->
                located(
                    name.name(),
                    "its signature",
                    () -> analysis.signatures.put(name, analysis.signature(function))));
    module
        .relaxFunctions()
        .forEach(
            (name, function) ->
                analysis.function(
                    name.name(),
                    function,
                    Objects.requireNonNull(analysis.signatures.get(name)).result));
    analysis.settle();
    return analysis;
  }

  /** Where a variable lies. */
  DevicePlacement of(RelaxVar var) {
    return vars.getOrDefault(var, DevicePlacement.NONE);
  }

  /** Where a function of the module gives its result. */
  DevicePlacement resultOf(GlobalVar name) {
    return Objects.requireNonNull(signatures.get(name)).result;
  }

  /**
   * Where the parts of a call lie, its result as the last; of a binding or sequence where its value
   * lies.
   */
  List<DevicePlacement> partsOf(Object user) {
    return parts.getOrDefault(user, List.of());
  }

  private Signature signature(RelaxFunction function) {
    List<DevicePlacement> params = new ArrayList<>();
    for (RelaxVar param : function.params()) {
      params.add(define(param));
    }
    return new Signature(params, fresh(DevicePlacement.of(function.resultType(), "the result")));
  }

  private DevicePlacement define(RelaxVar var) {
    DevicePlacement placement = fresh(DevicePlacement.of(var.type(), var.name()));
    vars.put(var, placement);
    return placement;
  }

  private DevicePlacement fresh(DevicePlacement placement) {
    for (DevicePlacement.Leaf leaf : DevicePlacement.leaves(placement)) {
      VDevice vdevice = leaf.vdevice();
      if (vdevice != null && !devices.vdevices().contains(vdevice)) {
        throw new InvalidProgramException(
            ErrorKind.VALUE,
            leaf.name
                + " lies in "
                + vdevice
                + ", which is none of the module's virtual devices: "
                + devices.vdevices()
                + "; add it to I.module_global_infos");
      }
    }
    all.add(placement);
    return placement;
  }

  private void settle() {
    for (Wish hint : hints) {
      if (hint.tensor.vdevice() == null) {
        hint.tensor.vdevice(Objects.requireNonNull(hint.wished.vdevice()));
      }
    }
    for (Wish output : outputs) {
      VDevice vdevice = output.wished.vdevice();
      if (output.tensor.vdevice() == null && vdevice != null) {
        output.tensor.vdevice(vdevice);
      }
    }
    for (DevicePlacement placement : all) {
      for (DevicePlacement.Leaf leaf : DevicePlacement.leaves(placement)) {
        if (leaf.vdevice() == null) {
          leaf.vdevice(devices.defaultVDevice());
        }
      }
    }
  }

  // ---------------------------------------------------------------- bodies

  private void function(String name, RelaxFunction function, DevicePlacement result) {
    DevicePlacement body = sequence(name, function.body());
    located(name, "the result", () -> join("the result", result, body));
  }

  private DevicePlacement sequence(String function, SeqExpr seq) {
    for (BindingBlock block : seq.blocks()) {
      for (Binding binding : block.bindings()) {
        located(function, binding, () -> binding(function, binding));
      }
    }
    DevicePlacement body = value(function, seq.body());
    parts.put(seq, List.of(body));
    return body;
  }

  private void binding(String function, Binding binding) {
    DevicePlacement value = value(function, binding.value());
    parts.put(binding, List.of(value));
    if (binding instanceof MatchCast cast) {
      DevicePlacement target = fresh(DevicePlacement.of(cast.target(), cast.var().name()));
      vars.put(cast.var(), target);
      join("match_cast", target, value);
    } else {
      join(binding.var().name(), define(binding.var()), value);
    }
  }

  private DevicePlacement value(String function, Expr expr) {
    return switch (expr) {
      case RelaxVar var -> of(var);
      case Constant constant -> fresh(DevicePlacement.of(constant.type(), "a constant"));
      case Tuple(var fields) ->
          new DevicePlacement.Fields(fields.stream().map(field -> value(function, field)).toList());
      case TupleGetItem(Expr tuple, int index) ->
          value(function, tuple) instanceof DevicePlacement.Fields(var fields)
                  && index < fields.size()
              ? fields.get(index)
              : fresh(DevicePlacement.of(expr.type(), "a field"));
      case If choice -> {
        value(function, choice.condition());
        DevicePlacement whenTrue = sequence(function, choice.whenTrue());
        join("if", whenTrue, sequence(function, choice.whenFalse()));
        yield whenTrue;
      }
      case SeqExpr seq -> sequence(function, seq);
      case RelaxFunction local -> {
        Signature signature = signature(local);
        function(function, local, signature.result);
        yield DevicePlacement.NONE;
      }
      case Call call -> call(function, call);
      default -> DevicePlacement.NONE;
    };
  }

  // ---------------------------------------------------------------- calls

  private DevicePlacement call(String function, Call call) {
    List<DevicePlacement> placement = new ArrayList<>();
    call.args().forEach(arg -> placement.add(argument(function, call, arg)));
    DevicePlacement result = fresh(DevicePlacement.of(call.type(), "the result"));
    String name = call.callee() instanceof Op op ? op.name() : call.callee().toString();
    constrain(call, name, placement, result);
    placement.add(result);
    parts.put(call, placement);
    return result;
  }

  /** A constant that is copied at once is copied from where constants are. */
  private DevicePlacement argument(String function, Call call, Expr arg) {
    boolean isCopied = arg instanceof Constant && call.isOf("to_vdevice");
    return isCopied ? DevicePlacement.NONE : value(function, arg);
  }

  private void constrain(
      Call call, String name, List<DevicePlacement> args, DevicePlacement result) {
    switch (call.callee()) {
      case GlobalVar callee when signatures.get(callee) instanceof Signature signature -> {
        for (int i = 0; i < Math.min(args.size(), signature.params.size()); i++) {
          join("the call of " + name, signature.params.get(i), args.get(i));
        }
        join("the call of " + name, result, signature.result);
      }
      case GlobalVar kernel -> together(name, args, result);
      case Op op -> constrain(call, op, args, result);
      default -> outputs(args, result);
    }
  }

  private void constrain(Call call, Op op, List<DevicePlacement> args, DevicePlacement result) {
    String name = op.name();
    if (name.equals("to_vdevice") || FROM_ANYWHERE.contains(name)) {
      return;
    }
    if (name.equals("hint_on_device")) {
      hints.add(new Wish((DevicePlacement.Leaf) args.getFirst(), (DevicePlacement.Leaf) result));
    } else if (isOnHost(call, op)) {
      DevicePlacement.leaves(result).forEach(leaf -> leaf.vdevice(host(name)));
    } else if (name.equals("make_closure")) {
      captured(call, args.get(1));
    } else if (OPAQUE.contains(name) || (name.equals("call_dps_packed") && !isOfLibrary(call))) {
      outputs(args, result);
    } else {
      together(name, args, result);
    }
  }

  /**
   * Whether a builtin computes a call, which reads tensors anywhere and gives those of the host.
   */
  private static boolean isOnHost(Call call, Op op) {
    String function =
        op instanceof OpDef known && known.packedName().isPresent()
            ? known.packedName().get()
            : !call.args().isEmpty() && call.args().getFirst() instanceof ExternFunc extern
                ? extern.symbol()
                : "";
    return CallOps.givesHostTensors(function);
  }

  private VDevice host(String name) {
    return devices
        .host()
        .orElseThrow(
            () ->
                new InvalidProgramException(
                    ErrorKind.VALUE,
                    name
                        + " gives a tensor on the host, which is none of the module's virtual"
                        + " devices: "
                        + devices.vdevices()
                        + "; add I.vdevice(\"cpu\") to I.module_global_infos"));
  }

  static boolean isOfLibrary(Call call) {
    return call.args().getFirst() instanceof ExternFunc extern
        && extern.symbol().startsWith("relaxvm.");
  }

  private void captured(Call call, DevicePlacement args) {
    if (call.args().getFirst() instanceof GlobalVar callee
        && signatures.get(callee) instanceof Signature signature
        && args instanceof DevicePlacement.Fields(var fields)) {
      int first = signature.params.size() - fields.size();
      for (int i = Math.max(0, -first); i < fields.size(); i++) {
        join("the closure of " + callee.name(), signature.params.get(first + i), fields.get(i));
      }
    }
  }

  private void outputs(List<DevicePlacement> args, DevicePlacement result) {
    List<DevicePlacement.Leaf> inputs = DevicePlacement.leaves(new DevicePlacement.Fields(args));
    if (!inputs.isEmpty()) {
      DevicePlacement.leaves(result)
          .forEach(leaf -> outputs.add(new Wish(leaf, inputs.getFirst())));
    }
  }

  private void together(String name, List<DevicePlacement> args, DevicePlacement result) {
    List<DevicePlacement> tensors = new ArrayList<>(args);
    tensors.add(result);
    DevicePlacement.Leaf known = null;
    for (DevicePlacement.Leaf leaf : DevicePlacement.leaves(new DevicePlacement.Fields(tensors))) {
      if (known == null) {
        known = leaf;
      } else {
        join(name, known, leaf);
      }
    }
  }

  private void join(String what, DevicePlacement a, DevicePlacement b) {
    if (a instanceof DevicePlacement.Leaf left && b instanceof DevicePlacement.Leaf right) {
      if (!left.join(right)) {
        throw new InvalidProgramException(
            ErrorKind.TYPE,
            what
                + ": expected one virtual device, but "
                + left.name
                + " lies in "
                + left.vdevice()
                + " and "
                + right.name
                + " lies in "
                + right.vdevice()
                + "; copy one of them with R.to_vdevice");
      }
    } else if (a instanceof DevicePlacement.Fields(var left)
        && b instanceof DevicePlacement.Fields(var right)) {
      for (int i = 0; i < Math.min(left.size(), right.size()); i++) {
        join(what, left.get(i), right.get(i));
      }
    }
  }

  private static void located(String function, Object what, Runnable step) {
    try {
      step.run();
    } catch (InvalidProgramException e) {
      if (e.locations().isEmpty()) {
        e.addLocation("function " + function + ", " + what);
      }
      throw e;
    }
  }
}
