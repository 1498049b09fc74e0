package org.relaxvm.compiler.named;

import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.object.ObjectType;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.pass.Pass;
import org.relaxvm.compiler.pass.PassContext;
import org.relaxvm.compiler.pass.PassObserver;
import org.relaxvm.compiler.pass.PassPipeline;

/** Passes: made, put in order, and run. Thread-safe. */
final class TransformFunctions {
  private final ModuleArguments modules;
  private final PassArguments passes;

  TransformFunctions(ModuleArguments modules, PassArguments passes) {
    this.modules = modules;
    this.passes = passes;
  }

  void addTo(BiConsumer<String, PackedFunc> target) {
    for (StandardPass pass : StandardPass.all().values()) {
      if (pass.isOriginal()) {
        target.accept(pass.signature(), (args, result) -> result.set(pass.make(args)));
      }
    }
    target.accept("transform.RunPass(pass, module)", this::run);
    target.accept(
        "transform.Sequential(passes, opt_level, name, required, traceable)", this::sequence);
    target.accept("transform.Info(pass)", this::info);
  }

  private void run(CallArgs args, CallResult result) {
    args.requireCount("transform.RunPass(pass, module)", 2);
    Pass pass = passes.at(args, 0);
    IRModule module = modules.at(args, 1);
    IRModule changed =
        PassPipeline.of(List.of(pass)).run(module, PassContext.DEFAULT, PassObserver.NONE);
    result.set(modules.like(args, 1, changed));
  }

  /** Levels, requirements and traces are of Apache TVM's pass context, which there is none of. */
  private void sequence(CallArgs args, CallResult result) {
    PassPipeline pipeline = passes.pipelineAt(args, 0);
    String name = args.count() > 2 && !args.isNull(2) ? args.stringAt(2) : "sequential";
    result.set(new Sequence(name, pipeline));
  }

  private void info(CallArgs args, CallResult result) {
    args.requireCount("transform.Info(pass)", 1);
    Pass pass = passes.at(args, 0);
    ObjectType type = modules.values().types().require("transform.PassInfo");
    result.set(
        type.create(
            Map.of(
                "opt_level", 0L, "name", pass.name(), "required", List.of(), "traceable", false)));
  }
}
