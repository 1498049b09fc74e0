package org.relaxvm.compiler;

import java.util.List;
import org.relaxvm.compiler.pass.PassPipeline;
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
import org.relaxvm.compiler.pass.simplify.CanonicalizeBindings;
import org.relaxvm.compiler.pass.simplify.ConvertToDataflow;
import org.relaxvm.compiler.pass.simplify.DeadCodeElimination;
import org.relaxvm.compiler.pass.simplify.DecomposeOpsForInference;
import org.relaxvm.compiler.pass.simplify.EliminateCommonSubexpr;
import org.relaxvm.compiler.pass.simplify.FoldConstant;
import org.relaxvm.compiler.pass.simplify.LambdaLift;

/**
 * The standard pipelines, with Apache TVM's name where it has one. Source: docs/spec/passes.md,
 * section 1.
 */
public final class StandardPipelines {
  private StandardPipelines() {}

  /** Legalizes and fuses operators: {@code zero}. */
  public static PassPipeline zero() {
    return PassPipeline.of(
        List.of(
            new LegalizeOps(),
            new AnnotateTIROpPattern(),
            new FoldConstant(),
            new FuseOps(),
            new FuseTIR()));
  }

  /** Lowers calls of kernels: devices, dataflow, memory, builtins and shapes. */
  public static PassPipeline lowering() {
    return PassPipeline.of(
        List.of(
            PassPipeline.again(new RealizeVDevice(false), "RealizeVDeviceBehind"),
            new SpecializeKernels(),
            new RewriteDataflowReshape(),
            new ToNonDataflow(),
            new RemovePurityChecking(),
            new CallTirRewrite(),
            new StaticPlanBlockMemory(),
            new PackStorage(),
            new LowerAllocTensor(),
            new KillAfterLastUse(),
            new LowerRuntimeBuiltin(),
            new ComputePrimValue(),
            new VMShapeLower(),
            new AttachGlobalSymbol()));
  }

  /** Simplifies programs before fusion: fewer and simpler bindings. */
  public static PassPipeline simplification() {
    return PassPipeline.of(
        List.of(
            new LambdaLift(),
            new ConvertToDataflow(),
            new RealizeVDevice(true),
            new CanonicalizeBindings(),
            new IntegerMoves(),
            new IntegerProducts(),
            new DecomposeOpsForInference(),
            PassPipeline.again(new FoldConstant(), "FoldConstantBefore"),
            new RecognizeComposites(),
            new FoldScaleAxis(),
            PassPipeline.again(new CanonicalizeBindings(), "CanonicalizeBindingsAfter"),
            new EliminateCommonSubexpr(),
            new DeadCodeElimination()));
  }

  /** The complete pipeline. */
  public static PassPipeline standard() {
    return simplification().then(zero()).then(lowering());
  }
}
