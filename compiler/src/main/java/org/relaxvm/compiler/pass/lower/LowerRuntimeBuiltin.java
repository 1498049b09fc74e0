package org.relaxvm.compiler.pass.lower;

import java.util.ArrayList;
import java.util.List;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.DataTypeImm;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.ExternFunc;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.ir.StringImm;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.core.CallOps;
import org.relaxvm.compiler.op.core.MemoryOps;
import org.relaxvm.compiler.pass.ExprMutator;
import org.relaxvm.compiler.pass.Pass;
import org.relaxvm.compiler.pass.PassContext;
import org.relaxvm.compiler.type.AnyType;
import org.relaxvm.compiler.type.ProgramDevices;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.compiler.type.VDevice;
import org.relaxvm.tir.expr.IntImm;

/**
 * Replaces operators by the builtins of the VM. What is left are calls of functions, {@code
 * call_builtin_with_ctx}, and the operators {@code vm.alloc_storage}, {@code vm.alloc_tensor},
 * {@code vm.kill_object} and {@code null_value}.
 *
 * <p>Operators that only a packed function computes become a call of that. Storage is counted in
 * bytes from here on. Tensors that builtins give on the host are copied to the device of the VM,
 * unless virtual devices say where they lie. Types of results stay, so that kernels can take what a
 * closure gives; one that gives nothing becomes anything, as in TVM. Source: docs/spec/passes.md,
 * section 11.
 */
public final class LowerRuntimeBuiltin implements Pass {
  @Override
  public String name() {
    return "LowerRuntimeBuiltin";
  }

  @Override
  public IRModule run(IRModule module, PassContext context) {
    return new Rewriter(module).run();
  }

  private static final class Rewriter extends ExprMutator {
    private final ProgramDevices devices;

    Rewriter(IRModule module) {
      super(module);
      this.devices = ProgramDevices.of(module.vdevices());
    }

    @Override
    protected RelaxFunction rewrite(GlobalVar name, RelaxFunction function) {
      RelaxFunction lowered = super.rewrite(name, function);
      return lowered.withBody(lowered.body(), function.resultType());
    }

    @Override
    protected Expr rewrite(Call call) {
      Call typed = rewriteParts(call);
      Expr lowered = typed.callee() instanceof OpDef op ? lowered(typed, op) : typed;
      return devices.isEmpty() && isOfHost(lowered) ? onDevice(lowered, typed.type()) : lowered;
    }

    private static boolean isOfHost(Expr value) {
      return value instanceof Call call
          && call.callee() instanceof ExternFunc function
          && CallOps.givesHostTensors(function.symbol());
    }

    /** Without virtual devices all tensors are on the device of the VM, which may be the host. */
    private Expr onDevice(Expr value, Type type) {
      if (TupleType.isVoid(type) || type instanceof ShapeType) {
        return value;
      }
      Expr ofHost = builder.emit(value, "host");
      return Call.packed("relaxvm.on_device", List.of(ofHost), List.of(type));
    }

    private Expr lowered(Call call, OpDef op) {
      List<Expr> args = call.args();
      return switch (op.name()) {
        case "vm.call_tir_dyn" ->
            Call.packed("vm.builtin.call_tir_dyn", spread(args), List.of(TupleType.VOID));
        case "reshape" -> {
          if (!(args.get(1).type() instanceof ShapeType)) {
            throw wrong(op, "the argument shape must be a shape", args.get(1).type());
          }
          yield packed("vm.builtin.reshape", call);
        }
        case "shape_of" -> packed("vm.builtin.shape_of", call);
        case "tensor_to_shape" -> packed("vm.builtin.tensor_to_shape", call);
        case "to_vdevice" -> toDevice(call, op);
        case "make_closure" ->
            Call.packed("vm.builtin.make_closure", spread(args), List.of(AnyType.ANY));
        case "invoke_closure" -> invocation(call);
        case "call_py_func" ->
            Call.packed(
                "vm.builtin.call_py_func",
                List.of(Tuple.of(args.get(0), args.get(1))),
                List.of(call.type()));
        case "builtin.alloc_tensor" ->
            throw wrong(op, "the VM makes tensors in storage; run LowerAllocTensor first", call);
        case "memory.alloc_storage" ->
            Call.of(
                MemoryOps.VM_ALLOC_STORAGE,
                args.get(0),
                deviceIndex(args.get(1)),
                new DataTypeImm(DType.UINT8),
                args.get(2));
        case "memory.alloc_tensor" ->
            Call.of(MemoryOps.VM_ALLOC_TENSOR, args, Attrs.NONE).withType(call.type());
        case "memory.kill_storage", "memory.kill_tensor" ->
            Call.of(MemoryOps.KILL_OBJECT, args.getFirst());
        case "memory.view" -> view(call);
        case "memory.ensure_zero_offset" -> packed("vm.builtin.ensure_zero_offset", call);
        default ->
            op.packedName()
                .<Expr>map(name -> Call.packed(name, args, List.of(call.type())))
                .orElse(call);
      };
    }

    /**
     * The index of the device of a virtual device: the same unless virtual devices share devices or
     * the host is not the last.
     */
    private Expr deviceIndex(Expr vdevice) {
      return vdevice instanceof PrimValue(IntImm index)
              && index.value() >= 0
              && index.value() < devices.vdevices().size()
          ? PrimValue.of(devices.index(devices.vdevices().get((int) index.value())))
          : vdevice;
    }

    private static Call packed(String builtin, Call call) {
      return Call.packed(builtin, call.args(), List.of(call.type()));
    }

    /** A function and the fields of its tuple of arguments as one list. */
    private static List<Expr> spread(List<Expr> args) {
      List<Expr> all = new ArrayList<>();
      all.add(args.getFirst());
      if (args.get(1) instanceof Tuple(var fields)) {
        all.addAll(fields);
      } else {
        all.add(args.get(1));
      }
      return all;
    }

    private static Call toDevice(Call call, OpDef op) {
      if (!(call.type() instanceof TensorType type) || type.vdevice().isEmpty()) {
        throw wrong(op, "the result must be a tensor on a virtual device", call.type());
      }
      VDevice vdevice = type.vdevice().get();
      return Call.packed(
          "vm.builtin.to_device",
          List.of(
              call.args().getFirst(),
              PrimValue.of(vdevice.device().typeCode()),
              PrimValue.of(vdevice.id()),
              new StringImm(vdevice.memoryScope())),
          List.of(type));
    }

    private static Call invocation(Call call) {
      Type result = TupleType.isVoid(call.type()) ? AnyType.ANY : call.type();
      return CallOps.withContext("vm.builtin.invoke_closure", spread(call.args()), result);
    }

    /** With another shape only, a view is a reshape. */
    private static Call view(Call call) {
      List<Expr> args = call.args();
      boolean onlyShape =
          args.get(1).type() instanceof ShapeType
              && args.get(2).equals(Tuple.EMPTY)
              && args.get(3).equals(Tuple.EMPTY);
      return onlyShape
          ? Call.packed("vm.builtin.reshape", args.subList(0, 2), List.of(call.type()))
          : Call.packed("runtime.TVMTensorCreateView", allOfView(args), List.of(call.type()));
    }

    /** With what is left out filled in, where the type of the tensor says it. */
    private static List<Expr> allOfView(List<Expr> args) {
      List<Expr> all = new ArrayList<>(args);
      if (args.getFirst().type() instanceof TensorType type) {
        type.dims().ifPresent(dims -> fill(all, 1, new ShapeExpr(dims)));
        type.dtype().ifPresent(dtype -> fill(all, 2, new DataTypeImm(dtype)));
      }
      fill(all, 3, PrimValue.of(0));
      return all;
    }

    private static void fill(List<Expr> args, int index, Expr value) {
      if (args.get(index).equals(Tuple.EMPTY)) {
        args.set(index, value);
      }
    }

    private static InvalidProgramException wrong(OpDef op, String rule, Object found) {
      return new InvalidProgramException(
          ErrorKind.TYPE, op.name() + ": " + rule + "; the program has " + found);
    }
  }
}
