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
  /** Fused and planned, with the passes of all providers. */
  public static final CompileOptions DEFAULT =
      new CompileOptions(
          true,
          true,
          PassContext.DEFAULT,
          PassPipeline::withProviders,
          PassObserver.NONE,
          metadata -> {});

  /** One kernel for each operator. */
  public CompileOptions withoutFusion() {
    return new CompileOptions(false, plansMemory, context, pipeline, observer, metadata);
  }

  /** Memory of its own for each intermediate tensor. */
  public CompileOptions withoutPlan() {
    return new CompileOptions(fuses, false, context, pipeline, observer, metadata);
  }

  /** Another way for kernels to get sizes. */
  public CompileOptions withScalars(ScalarConvention scalars) {
    return new CompileOptions(
        fuses, plansMemory, context.withScalars(scalars), pipeline, observer, metadata);
  }

  /** A change of the list of passes, behind those that were asked for so far. */
  public CompileOptions withPipeline(UnaryOperator<PassPipeline> change) {
    UnaryOperator<PassPipeline> before = pipeline;
    return new CompileOptions(
        fuses, plansMemory, context, list -> change.apply(before.apply(list)), observer, metadata);
  }

  /** Another who sees what each pass does. */
  public CompileOptions withObserver(PassObserver another) {
    return new CompileOptions(
        fuses, plansMemory, context, pipeline, observer.and(another), metadata);
  }

  /** More that the program says of itself, such as its name. */
  public CompileOptions withMetadata(Consumer<ProgramMetadata.Builder> more) {
    return new CompileOptions(
        fuses, plansMemory, context, pipeline, observer, metadata.andThen(more));
  }
}
