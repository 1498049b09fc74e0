package org.relaxvm.compiler;

import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.relaxvm.compiler.pass.ExecMode;
import org.relaxvm.compiler.pass.PassContext;
import org.relaxvm.compiler.pass.PassObserver;
import org.relaxvm.compiler.pass.PassPipeline;
import org.relaxvm.compiler.pass.ScalarConvention;
import org.relaxvm.vmcore.program.ProgramMetadata;

/**
 * How a program is compiled. Immutable: each method returns new options.
 *
 * @param fuses whether operators are fused
 * @param plansMemory whether intermediate tensors share memory
 * @param execMode whether functions over tensors become bytecode or compiled functions
 * @param context settings of all passes
 * @param pipeline changes the list of passes
 * @param observer is told of each pass
 * @param metadata adds to the program's metadata
 */
public record CompileOptions(
    boolean fuses,
    boolean plansMemory,
    ExecMode execMode,
    PassContext context,
    UnaryOperator<PassPipeline> pipeline,
    PassObserver observer,
    Consumer<ProgramMetadata.Builder> metadata) {
  /** Fusion and memory planning, with the passes of all providers. */
  public static final CompileOptions DEFAULT =
      new CompileOptions(
          true,
          true,
          ExecMode.BYTECODE,
          PassContext.DEFAULT,
          PassPipeline::withProviders,
          PassObserver.NONE,
          metadata -> {});

  /** Disables fusion: one kernel per operator. */
  public CompileOptions withoutFusion() {
    return new CompileOptions(false, plansMemory, execMode, context, pipeline, observer, metadata);
  }

  /** Disables memory planning: one allocation per intermediate tensor. */
  public CompileOptions withoutPlan() {
    return new CompileOptions(fuses, false, execMode, context, pipeline, observer, metadata);
  }

  /**
   * Lets intermediate tensors share memory only where that keeps no kernels from running at the
   * same time. Takes more memory; see {@code VmBuilder.parallelism}.
   */
  public CompileOptions withPlanForParallelism() {
    return new CompileOptions(
        fuses, plansMemory, execMode, context.withParallelism(true), pipeline, observer, metadata);
  }

  /** Chooses whether functions over tensors become bytecode or compiled functions. */
  public CompileOptions withExecMode(ExecMode mode) {
    return new CompileOptions(fuses, plansMemory, mode, context, pipeline, observer, metadata);
  }

  /** Sets the calling convention for symbolic sizes that no argument shape carries. */
  public CompileOptions withScalars(ScalarConvention scalars) {
    return new CompileOptions(
        fuses, plansMemory, execMode, context.withScalars(scalars), pipeline, observer, metadata);
  }

  /**
   * Leaves out the texts by which failed checks of arguments, casts and results name the function,
   * the parameter and the declared type. Programs become smaller; their errors say less.
   */
  public CompileOptions withoutErrorContexts() {
    return new CompileOptions(
        fuses,
        plansMemory,
        execMode,
        context.withErrorContexts(false),
        pipeline,
        observer,
        metadata);
  }

  /** Adds a change of the pass list, applied after earlier changes. */
  public CompileOptions withPipeline(UnaryOperator<PassPipeline> change) {
    UnaryOperator<PassPipeline> before = pipeline;
    return new CompileOptions(
        fuses,
        plansMemory,
        execMode,
        context,
        list -> change.apply(before.apply(list)),
        observer,
        metadata);
  }

  /** Adds an observer that is told of every pass. */
  public CompileOptions withObserver(PassObserver another) {
    return new CompileOptions(
        fuses, plansMemory, execMode, context, pipeline, observer.and(another), metadata);
  }

  /** Adds metadata, such as the program's name. */
  public CompileOptions withMetadata(Consumer<ProgramMetadata.Builder> more) {
    return new CompileOptions(
        fuses, plansMemory, execMode, context, pipeline, observer, metadata.andThen(more));
  }
}
