package org.relaxvm.compiler.named;

import static java.util.stream.Collectors.toUnmodifiableSet;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.pass.Pass;
import org.relaxvm.compiler.pass.PassContext;
import org.relaxvm.compiler.pass.device.RealizeVDevice;
import org.relaxvm.compiler.pass.device.SpecializeKernels;
import org.relaxvm.compiler.pass.fold.FoldScaleAxis;
import org.relaxvm.compiler.pass.fuse.AnnotateTIROpPattern;
import org.relaxvm.compiler.pass.fuse.FuseOps;
import org.relaxvm.compiler.pass.fuse.FuseTIR;
import org.relaxvm.compiler.pass.fuse.LegalizeOps;
import org.relaxvm.compiler.pass.fuse.RewriteDataflowReshape;
import org.relaxvm.compiler.pass.lower.AttachGlobalSymbol;
import org.relaxvm.compiler.pass.lower.ComputePrimValue;
import org.relaxvm.compiler.pass.lower.LowerRuntimeBuiltin;
import org.relaxvm.compiler.pass.lower.RemovePurityChecking;
import org.relaxvm.compiler.pass.lower.ToNonDataflow;
import org.relaxvm.compiler.pass.lower.VMShapeLower;
import org.relaxvm.compiler.pass.memory.CallTirRewrite;
import org.relaxvm.compiler.pass.memory.KillAfterLastUse;
import org.relaxvm.compiler.pass.memory.LowerAllocTensor;
import org.relaxvm.compiler.pass.memory.PackStorage;
import org.relaxvm.compiler.pass.memory.StaticPlanBlockMemory;
import org.relaxvm.compiler.pass.quantize.IntegerMoves;
import org.relaxvm.compiler.pass.quantize.IntegerProducts;
import org.relaxvm.compiler.pass.recognize.RecognizeComposites;
import org.relaxvm.compiler.pass.simplify.BindParams;
import org.relaxvm.compiler.pass.simplify.BindSymbolicVars;
import org.relaxvm.compiler.pass.simplify.CanonicalizeBindings;
import org.relaxvm.compiler.pass.simplify.ConvertToDataflow;
import org.relaxvm.compiler.pass.simplify.DeadCodeElimination;
import org.relaxvm.compiler.pass.simplify.DecomposeOpsForInference;
import org.relaxvm.compiler.pass.simplify.EliminateCommonSubexpr;
import org.relaxvm.compiler.pass.simplify.FoldConstant;
import org.relaxvm.compiler.pass.simplify.LambdaLift;
import org.relaxvm.compiler.pass.simplify.Normalize;
import org.relaxvm.compiler.pass.simplify.NormalizeGlobalVar;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/** The table of passes. Source: docs/spec/passes.md, sections 2 to 19. */
final class StandardPasses {
  private static final String RELAX = "relax.";
  private static final int FEWEST_BINDINGS = 2;

  private final SequencedMap<String, StandardPass> passes = new LinkedHashMap<>();

  private StandardPasses() {}

  static Map<String, StandardPass> all() {
    StandardPasses all = new StandardPasses();
    all.addSimplification();
    all.addFusion();
    all.addLowering();
    all.addOthers();
    return Collections.unmodifiableSequencedMap(all.passes);
  }

  private void add(Supplier<? extends Pass> factory) {
    add(List.of(), _ -> factory.get(), factory.get().name(), true);
  }

  private void add(List<String> options, Function<PassOptions, Pass> factory, String name) {
    add(options, factory, name, true);
  }

  private void add(
      List<String> options, Function<PassOptions, Pass> factory, String name, boolean isOriginal) {
    passes.put(name, new StandardPass(name, options, isOriginal, factory));
  }

  private void addSimplification() {
    add(LambdaLift::new);
    add(
        List.of("min_size"),
        options -> new ConvertToDataflow(options.integer(0, FEWEST_BINDINGS)),
        "ConvertToDataflow");
    add(() -> new RealizeVDevice(false));
    add(CanonicalizeBindings::new);
    add(
        List.of("func_name"),
        options -> {
          options.requireAbsent(0, "the pass rewrites all functions");
          return new DecomposeOpsForInference();
        },
        "DecomposeOpsForInference");
    add(List.of(), _ -> new IntegerMoves(), "IntegerMoves", false);
    add(List.of(), _ -> new IntegerProducts(), "IntegerProducts", false);
    add(FoldConstant::new);
    add(List.of(), _ -> new RecognizeComposites(), "RecognizeComposites", false);
    add(List.of(), _ -> new FoldScaleAxis(), "FoldScaleAxis", false);
    add(
        List.of("call_only"),
        options -> new EliminateCommonSubexpr(options.bool(0, false)),
        "EliminateCommonSubexpr");
    add(
        List.of("entry_functions"),
        options -> new DeadCodeElimination(options.strings(0)),
        "DeadCodeElimination");
  }

  private void addFusion() {
    add(
        List.of("customize_legalize_map", "skip_ops", "enable_warning"),
        options -> {
          options.requireAbsent(0, "operators have their legalizers in their definitions");
          return new LegalizeOps(Map.of(), operators(options.strings(1)));
        },
        "LegalizeOps");
    add(AnnotateTIROpPattern::new);
    add(
        List.of("fuse_opt_level"),
        options -> options.integer(0, -1) == 0 ? new NoFusion() : new FuseOps(),
        "FuseOps");
    add(FuseTIR::new);
  }

  private void addLowering() {
    add(List.of(), _ -> new SpecializeKernels(), "SpecializeKernels", false);
    add(RewriteDataflowReshape::new);
    add(ToNonDataflow::new);
    add(RemovePurityChecking::new);
    add(CallTirRewrite::new);
    add(StaticPlanBlockMemory::new);
    add(List.of(), _ -> new PackStorage(), "PackStorage", false);
    add(LowerAllocTensor::new);
    add(KillAfterLastUse::new);
    add(LowerRuntimeBuiltin::new);
    add(ComputePrimValue::new);
    add(List.of("emit_err_ctx"), options -> shapeLowering(options.bool(0, true)), "VMShapeLower");
    add(AttachGlobalSymbol::new);
  }

  private void addOthers() {
    add(
        List.of("func_name", "params"),
        options -> BindParams.ofTensors(options.string(0), options.map(1, Tensor.class)),
        "BindParams");
    add(
        List.of("binding_map", "func_name"),
        options ->
            new BindSymbolicVars(
                sizes(options.map(0, Long.class)), Optional.ofNullable(options.stringOrNull(1))),
        "BindSymbolicVars");
    add(Normalize::new);
    add(NormalizeGlobalVar::new);
  }

  /** Operators have the names of the original without its prefix. */
  private static Set<String> operators(List<String> names) {
    return names.stream()
        .map(name -> name.startsWith(RELAX) ? name.substring(RELAX.length()) : name)
        .collect(toUnmodifiableSet());
  }

  private static SequencedMap<String, PrimExpr> sizes(Map<String, Long> numbers) {
    SequencedMap<String, PrimExpr> sizes = new LinkedHashMap<>();
    numbers.forEach((name, size) -> sizes.put(name, IntImm.of(size)));
    return sizes;
  }

  private static Pass shapeLowering(boolean errorContexts) {
    Pass pass = new VMShapeLower();
    return errorContexts
        ? pass
        : new WithSettings(pass, settings -> settings.withErrorContexts(false));
  }

  /** Fusion at level 0: each call stays a kernel of its own. */
  private record NoFusion() implements Pass {
    @Override
    public String name() {
      return "FuseOps";
    }

    @Override
    public IRModule run(IRModule module, PassContext context) {
      return module;
    }
  }

  /** A pass with other settings than the rest of the pipeline. */
  private record WithSettings(Pass pass, UnaryOperator<PassContext> change) implements Pass {
    @Override
    public String name() {
      return pass.name();
    }

    @Override
    public IRModule run(IRModule module, PassContext context) {
      return pass.run(module, change.apply(context));
    }
  }
}
