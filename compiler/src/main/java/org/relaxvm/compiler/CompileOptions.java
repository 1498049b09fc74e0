package org.relaxvm.compiler;

import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.relaxvm.compiler.pass.PassContext;
import org.relaxvm.compiler.pass.PassObserver;
import org.relaxvm.compiler.pass.PassPipeline;
import org.relaxvm.compiler.pass.ScalarConvention;
import org.relaxvm.vmcore.program.ProgramMetadata;

/**
 * How a program is compiled. Immutable: each method gives another one.
 *
 * @param fuses whether operators become common kernels where they can
 * @param plansMemory whether intermediate tensors share memory
 * @param context what all passes go by
 * @param pipeline changes the list of passes
 * @param observer sees what each pass does
 * @param metadata adds to what the program says of itself
 */
public record CompileOptions(
    boolean fuses,
    boolean plansMemory,
    PassContext context,
    UnaryOperator<PassPipeline> pipeline,
    PassObserver observer,
    Consumer<ProgramMetadata.Builder> metadata) {
  /** With operator fusion and memory planning, and the passes of all providers. */
  public static final CompileOptions DEFAULT =
      new CompileOptions(
          true,
          true,
          PassContext.DEFAULT,
          PassPipeline::withProviders,
          PassObserver.NONE,
          metadata -> {});

  /** Disables operator fusion: one kernel per operator. */
  public CompileOptions withoutFusion() {
    return new CompileOptions(false, plansMemory, context, pipeline, observer, metadata);
  }

  /** Disables memory planning: one allocation per intermediate tensor. */
  public CompileOptions withoutPlan() {
    return new CompileOptions(fuses, false, context, pipeline, observer, metadata);
  }

  /** Sets the calling convention for symbolic sizes that no argument shape carries. */
  public CompileOptions withScalars(ScalarConvention scalars) {
    return new CompileOptions(
        fuses, plansMemory, context.withScalars(scalars), pipeline, observer, metadata);
  }

  /** Adds a change of the list of passes, applied after the ones added before. */
  public CompileOptions withPipeline(UnaryOperator<PassPipeline> change) {
    UnaryOperator<PassPipeline> before = pipeline;
    return new CompileOptions(
        fuses, plansMemory, context, list -> change.apply(before.apply(list)), observer, metadata);
  }

  /** Adds an observer that is told of every pass. */
  public CompileOptions withObserver(PassObserver another) {
    return new CompileOptions(
        fuses, plansMemory, context, pipeline, observer.and(another), metadata);
  }

  /** Adds metadata of the program, such as its name. */
  public CompileOptions withMetadata(Consumer<ProgramMetadata.Builder> more) {
    return new CompileOptions(
        fuses, plansMemory, context, pipeline, observer, metadata.andThen(more));
  }
}
