package org.relaxvm.compiler.pass.device;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Binding;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Constant;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.MatchCast;
import org.relaxvm.compiler.ir.ModuleFunction;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.SeqExpr;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.ir.VarBinding;
import org.relaxvm.compiler.op.core.ValueOps;
import org.relaxvm.compiler.pass.ExprMutator;
import org.relaxvm.compiler.pass.Pass;
import org.relaxvm.compiler.pass.PassContext;
import org.relaxvm.compiler.type.ProgramDevices;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.Type;

/**
 * Gives each tensor of a module with virtual devices its device, where only some are said. {@code
 * hint_on_device} becomes {@code to_vdevice} where its tensor lies elsewhere, and nothing where it
 * lies there. Where the rule of an operator does not say the device of its result, as of one
 * without tensors, a hint says it from here on; a second run after the legalization removes those.
 *
 * <p>Modules without virtual devices stay as they are.
 *
 * @param keepsHints whether such hints are made
 */
public record RealizeVDevice(boolean keepsHints) implements Pass {
  @Override
  public String name() {
    return "RealizeVDevice";
  }

  @Override
  public IRModule run(IRModule module, PassContext context) {
    ProgramDevices devices = ProgramDevices.of(module.vdevices());
    if (devices.isEmpty()) {
      return module;
    }
    PlacementAnalysis analysis = PlacementAnalysis.of(module, devices);
    Map<GlobalVar, ModuleFunction> declared = new LinkedHashMap<>(module.functions());
    declared.replaceAll(
        (name, function) ->
            function instanceof RelaxFunction relax
                ? onDevices(relax, analysis, analysis.resultOf(name))
                : function);
    return new Mutator(module, module.withFunctions(declared), analysis, keepsHints).run();
  }

  /** A function with devices in its signature; its body has the parameters that it had. */
  private static RelaxFunction onDevices(
      RelaxFunction function, PlacementAnalysis analysis, DevicePlacement result) {
    List<RelaxVar> params = new ArrayList<>();
    for (RelaxVar param : function.params()) {
      Type type = DevicePlacement.onDevices(param.type(), analysis.of(param));
      params.add(type.equals(param.type()) ? param : param.renewed(type));
    }
    return new RelaxFunction(
        params,
        function.body(),
        DevicePlacement.onDevices(function.resultType(), result),
        function.isPure(),
        function.attrs());
  }

  private static final class Mutator extends ExprMutator {
    private final IRModule original;
    private final PlacementAnalysis analysis;
    private final boolean keepsHints;

    Mutator(IRModule original, IRModule declared, PlacementAnalysis analysis, boolean keepsHints) {
      super(declared);
      this.original = original;
      this.analysis = analysis;
      this.keepsHints = keepsHints;
    }

    @Override
    protected RelaxFunction rewrite(GlobalVar name, RelaxFunction function) {
      renew(original.requireFunction(name).params(), function.params());
      return super.rewrite(name, function);
    }

    @Override
    protected RelaxFunction rewriteLocal(@Nullable RelaxVar var, RelaxFunction function) {
      RelaxFunction now = onDevices(function, analysis, DevicePlacement.NONE);
      renew(function.params(), now.params());
      return super.rewriteLocal(var, now);
    }

    @SuppressWarnings("ReferenceEquality") // of variables that is equality
    private void renew(List<RelaxVar> params, List<RelaxVar> renewed) {
      for (int i = 0; i < params.size(); i++) {
        if (params.get(i) != renewed.get(i)) {
          replace(params.get(i), renewed.get(i));
        }
      }
    }

    @Override
    protected Expr rewriteSequence(SeqExpr seq) {
      List<DevicePlacement> body = analysis.partsOf(seq);
      return super.rewriteSequence(
          body.isEmpty()
              ? seq
              : new SeqExpr(seq.blocks(), constants(seq.body(), body.getFirst()), seq.knownType()));
    }

    @Override
    protected void rewrite(Binding binding) {
      List<DevicePlacement> value = analysis.partsOf(binding);
      switch (binding) {
        case MatchCast cast -> {
          Expr rewritten = rewriteArgument(constants(cast.value(), value.getFirst()));
          Type target =
              rewriteType(DevicePlacement.onDevices(cast.target(), analysis.of(cast.var())));
          RelaxVar var = cast.var().renewed(target);
          builder.emitNormalized(new MatchCast(var, rewritten, target));
          replace(cast.var(), var);
        }
        case VarBinding(RelaxVar var, RelaxFunction local) -> super.rewrite(binding);
        case VarBinding simple -> {
          Expr rewritten = rewrite(constants(simple.value(), value.getFirst()));
          reEmit(simple, keepsHints ? hinted(rewritten, analysis.of(simple.var())) : rewritten);
        }
      }
    }

    /** A value with a hint where nothing else says its device. */
    private Expr hinted(Expr value, DevicePlacement placement) {
      Expr normal = builder.normalize(value);
      boolean isSaid =
          !(normal instanceof Call)
              || !(normal.type() instanceof TensorType type)
              || type.vdevice().isPresent();
      return isSaid || !(placement instanceof DevicePlacement.Leaf leaf)
          ? normal
          : builder.normalize(
              Call.of(
                  ValueOps.HINT_ON_DEVICE,
                  List.of(normal),
                  Attrs.of("dst_vdevice", Objects.requireNonNull(leaf.vdevice()).toString())));
    }

    @Override
    protected Expr rewrite(Call call) {
      List<DevicePlacement> parts = analysis.partsOf(call);
      if (parts.isEmpty()) {
        return super.rewrite(call);
      }
      if (call.isOf("hint_on_device")) {
        return realized(call, parts);
      }
      List<Expr> args = new ArrayList<>();
      for (int i = 0; i < call.args().size(); i++) {
        args.add(rewriteArgument(constants(call.args().get(i), parts.get(i))));
      }
      List<Type> typeArgs = call.typeArgs().stream().map(this::rewriteType).toList();
      if (typeArgs.size() == 1) {
        typeArgs = List.of(DevicePlacement.onDevices(typeArgs.getFirst(), parts.getLast()));
      }
      Expr callee = rewriteArgument(call.callee());
      return builder.normalize(Call.of(callee, args, call.attrs(), typeArgs));
    }

    private Expr realized(Call call, List<DevicePlacement> parts) {
      DevicePlacement.Leaf from = (DevicePlacement.Leaf) parts.getFirst();
      DevicePlacement.Leaf to = (DevicePlacement.Leaf) parts.getLast();
      Expr tensor = rewriteArgument(constants(call.args().getFirst(), from));
      if (Objects.equals(from.vdevice(), to.vdevice())) {
        return keepsHints ? hinted(tensor, to) : tensor;
      }
      return builder.normalize(Call.of(ValueOps.TO_VDEVICE, List.of(tensor), call.attrs()));
    }

    /** Constants in a value with their devices. */
    private static Expr constants(Expr value, DevicePlacement placement) {
      if (value instanceof Constant constant && placement instanceof DevicePlacement.Leaf leaf) {
        TensorType type = constant.tensorType();
        return type.vdevice().isPresent() || leaf.vdevice() == null
            ? constant
            : new Constant(constant.data(), Optional.ofNullable(leaf.vdevice()));
      }
      if (value instanceof Tuple(var fields)
          && placement instanceof DevicePlacement.Fields(var known)
          && fields.size() == known.size()) {
        List<Expr> copies = new ArrayList<>();
        for (int i = 0; i < fields.size(); i++) {
          copies.add(constants(fields.get(i), known.get(i)));
        }
        return new Tuple(copies);
      }
      return value;
    }
  }
}
