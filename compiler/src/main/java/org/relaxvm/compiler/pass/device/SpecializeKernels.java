package org.relaxvm.compiler.pass.device;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.relaxvm.api.DeviceId;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Constant;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.ExternFunc;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.KernelFunction;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.op.core.ValueOps;
import org.relaxvm.compiler.pass.ExprMutator;
import org.relaxvm.compiler.pass.Pass;
import org.relaxvm.compiler.pass.PassContext;
import org.relaxvm.compiler.pass.lower.HostFunctions;
import org.relaxvm.compiler.rewrite.DeadCode;
import org.relaxvm.compiler.type.ProgramDevices;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.compiler.type.VDevice;
import org.relaxvm.tir.PrimFunc;

/**
 * Makes a kernel for each device that calls it: {@code add} becomes {@code add_cuda}, or {@code
 * add_cuda_1} where the module has several devices of a kind, with an annotation that says the
 * device. Kernels of a device's library get the device after their name: {@code
 * relaxvm.matmul@cuda}.
 *
 * <p>Constants are loaded to the first device; one that is used on another is copied there each
 * time. Expects that each output says its device; modules without virtual devices stay as they are.
 * Source: docs/spec/passes.md, section 2.
 *
 * <p>Rationale: docs/rationale/compiler.md, "Why are kernels copied per device after fusion?"
 */
public record SpecializeKernels() implements Pass {
  /** The annotation on a kernel with the only device that it is for: its kind, or its name. */
  public static final String TARGET = "target";

  @Override
  public String name() {
    return "SpecializeKernels";
  }

  @Override
  public IRModule run(IRModule module, PassContext context) {
    ProgramDevices devices = ProgramDevices.of(module.vdevices());
    return devices.isEmpty() ? module : new Mutator(module, devices).run();
  }

  private static final class Mutator extends ExprMutator {
    private final ProgramDevices devices;
    private final Map<String, GlobalVar> made = new HashMap<>();
    private final Set<GlobalVar> copied = new LinkedHashSet<>();
    private final Map<Constant, Constant> loaded = new IdentityHashMap<>();

    Mutator(IRModule module, ProgramDevices devices) {
      super(module);
      this.devices = devices;
    }

    @Override
    public IRModule run() {
      super.run();
      copied.forEach(this::makePrivate);
      return DeadCode.removeFunctions(builder.module(), List.of());
    }

    /** A kernel that is copied stays only where something else needs it. */
    private void makePrivate(GlobalVar name) {
      PrimFunc kernel = builder.module().requireKernel(name).kernel();
      builder.put(name, new KernelFunction(kernel.withAttrs(privateAttrs(kernel))));
    }

    private static Map<String, Object> privateAttrs(PrimFunc kernel) {
      Map<String, Object> attrs = new LinkedHashMap<>(kernel.attrs());
      attrs.remove(RelaxFunction.GLOBAL_SYMBOL);
      return attrs;
    }

    @Override
    protected Expr rewrite(Call call) {
      Call typed = rewriteParts(call);
      boolean isKernel =
          typed.isOf("call_tir")
              || typed.isOf("call_tir_with_grad")
              || typed.isOf("call_tir_inplace")
              || (typed.isOf("call_dps_packed") && PlacementAnalysis.isOfLibrary(typed));
      if (!isKernel) {
        return typed;
      }
      VDevice vdevice = vdevice(typed.type()).orElseGet(devices::defaultVDevice);
      List<Expr> args = new ArrayList<>(typed.args());
      args.set(0, specialized(args.getFirst(), vdevice));
      return args.equals(typed.args())
          ? typed
          : builder.normalize(Call.of(typed.callee(), args, typed.attrs(), typed.typeArgs()));
    }

    private static Optional<VDevice> vdevice(Type type) {
      return switch (type) {
        case TensorType tensor -> tensor.vdevice();
        case TupleType(var fields) ->
            fields.stream().flatMap(field -> vdevice(field).stream()).findFirst();
        default -> Optional.empty();
      };
    }

    private Expr specialized(Expr callee, VDevice vdevice) {
      String target = devices.name(vdevice.device());
      if (callee instanceof ExternFunc extern) {
        boolean isMain = devices.index(vdevice) == 0 || extern.symbol().contains("@");
        return isMain ? extern : new ExternFunc(extern.symbol() + "@" + target);
      }
      if (!(callee instanceof GlobalVar name)
          || !(builder.find(name).orElse(null) instanceof KernelFunction(PrimFunc kernel))
          || HostFunctions.isHost(kernel)
          || target.equals(kernel.attrs().get(TARGET))) {
        return callee;
      }
      return made.computeIfAbsent(name.name() + "@" + target, unused -> copy(kernel, target));
    }

    private GlobalVar copy(PrimFunc kernel, String target) {
      copied.add(new GlobalVar(kernel.name()));
      Map<String, Object> attrs = privateAttrs(kernel);
      attrs.put(TARGET, target);
      return builder.addFunction(
          new KernelFunction(kernel.withAttrs(attrs)),
          kernel.name() + "_" + target.replace(':', '_'));
    }

    @Override
    protected Expr rewrite(Expr expr) {
      if (!(expr instanceof Constant constant)) {
        return super.rewrite(expr);
      }
      Optional<VDevice> vdevice = constant.tensorType().vdevice();
      if (vdevice.isEmpty() || devices.index(vdevice.get()) == 0) {
        return constant;
      }
      DeviceId main = devices.devices().getFirst();
      Constant there =
          loaded.computeIfAbsent(
              constant,
              unused ->
                  new Constant(
                      constant.data(),
                      devices.vdevices().stream()
                          .filter(other -> other.device().equals(main))
                          .filter(other -> other.memoryScope().equals("global"))
                          .findFirst()));
      return builder.normalize(
          Call.of(
              ValueOps.TO_VDEVICE,
              List.of(there),
              Attrs.of("dst_vdevice", vdevice.get().toString())));
    }
  }
}
