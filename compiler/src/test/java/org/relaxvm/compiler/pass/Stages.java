package org.relaxvm.compiler.pass;

import java.util.List;
import org.relaxvm.compiler.Programs;
import org.relaxvm.compiler.dsl.StandardOps;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.pass.fuse.AnnotateTIROpPattern;
import org.relaxvm.compiler.pass.fuse.FuseOps;
import org.relaxvm.compiler.pass.fuse.FuseTIR;
import org.relaxvm.compiler.pass.fuse.LegalizeOps;
import org.relaxvm.compiler.text.RelaxText;
import org.relaxvm.compiler.wellformed.WellFormed;

/** Programs from text, and as they are after some passes. */
public final class Stages {
  private Stages() {}

  /** A module of these functions, as texts write them without indentation. */
  public static IRModule parse(String functions) {
    String text = "@I.ir_module\nclass Module:\n" + functions.indent(4);
    IRModule module = RelaxText.parse(text, "test.py", StandardOps.registry());
    WellFormed.check(module);
    return module;
  }

  /** What passes make of a module; it is checked after each. */
  public static IRModule run(IRModule module, Pass... passes) {
    return run(module, PassContext.DEFAULT, passes);
  }

  /** The same with options. */
  public static IRModule run(IRModule module, PassContext context, Pass... passes) {
    return PassPipeline.of(List.of(passes))
        .run(module, context, (pass, before, after, nanos) -> WellFormed.check(after));
  }

  /** Replaces operators by kernels. */
  public static IRModule legal(IRModule module) {
    return run(module, new LegalizeOps(), new AnnotateTIROpPattern());
  }

  /** The same with options. */
  public static IRModule legal(IRModule module, PassContext context) {
    return run(module, context, new LegalizeOps(), new AnnotateTIROpPattern());
  }

  /** Groups of kernels as functions. */
  public static IRModule grouped(IRModule module) {
    return run(legal(module), new FuseOps());
  }

  /** Groups as kernels. */
  public static IRModule fused(IRModule module) {
    return run(grouped(module), new FuseTIR());
  }

  /** Groups as kernels, from kernels. */
  public static IRModule fused(IRModule legal, PassContext context) {
    return run(legal, context, new FuseOps(), new FuseTIR());
  }

  /** The bindings of a function over tensors. */
  public static List<String> lines(IRModule module, String function) {
    return Programs.lines((RelaxFunction) module.require(new GlobalVar(function)));
  }

  /** The bindings of {@code main}. */
  public static List<String> main(IRModule module) {
    return lines(module, "main");
  }

  /** The names of all functions. */
  public static List<String> names(IRModule module) {
    return module.functions().keySet().stream().map(GlobalVar::name).toList();
  }
}
