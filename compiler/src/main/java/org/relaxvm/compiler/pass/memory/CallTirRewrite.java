package org.relaxvm.compiler.pass.memory;

import java.util.ArrayList;
import java.util.List;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.DataTypeImm;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.ExternFunc;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.ir.StringImm;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.op.core.CallOps;
import org.relaxvm.compiler.op.core.MemoryOps;
import org.relaxvm.compiler.pass.ExprMutator;
import org.relaxvm.compiler.pass.Pass;
import org.relaxvm.compiler.pass.PassContext;
import org.relaxvm.compiler.type.TensorShape;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.compiler.type.VDevice;

/**
 * Gives the outputs of kernels memory: {@code call_tir} and its kin become an allocation for each
 * output and a call that writes there. A call with sizes after its tensors becomes {@code
 * vm.call_tir_dyn}; which of the two it is, the call says.
 *
 * <p>Expects that no dataflow blocks are left. Source: docs/spec/passes.md, section 9.
 */
public final class CallTirRewrite implements Pass {
  @Override
  public String name() {
    return "CallTIRRewrite";
  }

  @Override
  public IRModule run(IRModule module, PassContext context) {
    return new Rewriter(module).run();
  }

  private static final class Rewriter extends ExprMutator {
    private final List<VDevice> vdevices;

    Rewriter(IRModule module) {
      super(module);
      this.vdevices = module.vdevices();
    }

    @Override
    protected Expr rewrite(Call call) {
      boolean writesOutputs =
          call.callee().equals(CallOps.CALL_TIR)
              || call.callee().equals(CallOps.CALL_TIR_WITH_GRAD)
              || call.callee().equals(CallOps.CALL_TIR_INPLACE)
              || call.callee().equals(CallOps.CALL_DPS_PACKED);
      return writesOutputs ? explicit(call) : rewriteParts(call);
    }

    private Expr explicit(Call call) {
      List<Expr> parts = rewriteArguments(call.args());
      List<Expr> inputs =
          parts.get(1) instanceof Tuple(var fields) ? fields : List.of(parts.get(1));
      Outputs outputs =
          new Outputs(inputs, call.attrs().integers("inplace_indices").orElse(List.of()));
      Expr result = outputs.of(rewriteType(call.typeArgs().getFirst()));
      List<Expr> args = new ArrayList<>(inputs);
      args.addAll(outputs.fresh);
      Expr callee = parts.getFirst();
      if (parts.size() > 2) {
        args.add(parts.get(2));
        builder.emit(Call.of(CallOps.CALL_TIR_DYN, callee, new Tuple(args)), "_");
      } else {
        boolean packed = callee instanceof ExternFunc;
        List<Type> typeArgs = packed ? List.of(TupleType.VOID) : List.of();
        builder.emit(Call.of(callee, args, Attrs.NONE, typeArgs), "_");
      }
      return result;
    }

    /** The outputs of one call, in order. */
    private final class Outputs {
      final List<RelaxVar> fresh = new ArrayList<>();
      private final List<Expr> inputs;
      private final List<Long> inPlace;
      private int next;

      Outputs(List<Expr> inputs, List<Long> inPlace) {
        this.inputs = inputs;
        this.inPlace = inPlace;
      }

      Expr of(Type type) {
        return switch (type) {
          case TensorType tensor -> output(tensor);
          case TupleType(var fields) -> new Tuple(fields.stream().map(this::of).toList());
          default ->
              throw new InvalidProgramException(
                  ErrorKind.TYPE,
                  "the outputs of a kernel must be tensors and tuples of tensors, but one is "
                      + type);
        };
      }

      private Expr output(TensorType type) {
        int output = next++;
        long input = output < inPlace.size() ? inPlace.get(output) : -1;
        if (input >= 0) {
          return inputs.get((int) input);
        }
        RelaxVar memory = builder.emit(allocation(type), "alloc");
        fresh.add(memory);
        return memory;
      }
    }

    private Call allocation(TensorType type) {
      if (!(type.shape().orElse(null) instanceof TensorShape.Known(var dims))
          || type.dtype().isEmpty()) {
        throw new InvalidProgramException(
            ErrorKind.TYPE,
            "memory for an output needs its extents and its dtype, but it is " + type);
      }
      String scope = type.vdevice().map(VDevice::memoryScope).orElse(MemoryOps.GLOBAL);
      return Call.of(
          MemoryOps.BUILTIN_ALLOC_TENSOR,
          List.of(
              new ShapeExpr(dims),
              new DataTypeImm(type.dtype().get()),
              PrimValue.of(deviceIndex(type)),
              new StringImm(scope)),
          Attrs.NONE,
          List.of(type));
    }

    private int deviceIndex(TensorType type) {
      if (type.vdevice().isEmpty()) {
        for (int i = 0; i < vdevices.size(); i++) {
          if (vdevices.get(i).memoryScope().equals(MemoryOps.GLOBAL)) {
            return i;
          }
        }
        return 0;
      }
      int index = vdevices.indexOf(type.vdevice().get());
      if (index < 0) {
        throw new InvalidProgramException(
            ErrorKind.VALUE,
            "the output "
                + type
                + " is on a virtual device that the module does not have; its virtual devices are "
                + vdevices);
      }
      return index;
    }
  }
}
