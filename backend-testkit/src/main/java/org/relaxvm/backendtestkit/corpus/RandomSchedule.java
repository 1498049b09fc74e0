package org.relaxvm.backendtestkit.corpus;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.eval.Evaluator;

/**
 * A kernel and the same kernel with its loops arranged. Immutable.
 *
 * @param seed of which it was made, and would be made again
 * @param kernel as it was; its tolerance allows for sums in another order
 * @param binding the values of the symbolic extents
 * @param scheduled computes the same
 * @param applied the primitives that were legal, in order
 */
public record RandomSchedule(
    long seed,
    KernelCase kernel,
    Map<String, Long> binding,
    PrimFunc scheduled,
    List<String> applied) {
  /** Copies the collections. */
  public RandomSchedule {
    binding = Map.copyOf(binding);
    applied = List.copyOf(applied);
  }

  /** Arguments of both kernels: the same values each time, in new memory. */
  public List<Object> arguments() {
    return CaseArguments.make(kernel, binding);
  }

  /**
   * Compares some way to run one of the kernels with the evaluator, which runs the kernel as it
   * was.
   *
   * @param runner runs a kernel on {@link #arguments()}, in place
   * @return the first wrong element; empty when all are right
   */
  public Optional<Mismatch> compare(Consumer<List<Object>> runner) {
    List<Object> expected = arguments();
    List<Object> got = arguments();
    new Evaluator().run(kernel.function(), expected);
    runner.accept(got);
    return CorpusRun.compare(kernel, binding, expected, got);
  }

  /** What makes it again. */
  @Override
  public String toString() {
    return "-Drelaxvm.seed=" + seed + " -Drelaxvm.case=0: " + kernel + " after " + applied;
  }
}
