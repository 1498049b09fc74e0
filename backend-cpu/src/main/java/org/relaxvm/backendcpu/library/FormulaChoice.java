package org.relaxvm.backendcpu.library;

import java.util.Set;
import org.relaxvm.api.VmContext;
import org.relaxvm.tir.library.LibraryCall;

/**
 * Which functions of the kernel library are machine code unless options say otherwise.
 *
 * <p>Rationale: docs/rationale/backend-cpu.md, "Which library functions are machine code?"
 */
final class FormulaChoice {
  /** Functions whose hand-written kernels have tiles. */
  private static final Set<String> TILES =
      Set.of(
          "matmul",
          "matmul_residual",
          "matmul_integer",
          "conv2d",
          "conv2d_residual",
          "conv2d_transpose",
          "attention");

  /** Functions whose formula is slower. */
  private static final Set<String> SLOWER =
      Set.of(
          "argmax",
          "argmin",
          "cumsum",
          "cumprod",
          "sort",
          "argsort",
          "topk",
          "topk_indices",
          "log_softmax",
          "max_pool2d",
          "avg_pool2d",
          "permute_dims",
          "reshape",
          "tile",
          "repeat");

  /** Functions that raise an error for an index before they write anything. */
  private static final Set<String> INDICES =
      Set.of("take", "gather_elements", "gather_nd", "scatter_elements", "scatter_nd");

  /** Reductions; those of all elements to one run on one thread as machine code. */
  private static final Set<String> REDUCTIONS = Set.of("sum", "mean", "prod", "max", "min");

  /** The most elements that one thread reduces as fast as several. */
  private static final long FEW = 1 << 17;

  private FormulaChoice() {}

  /** Whether several threads of the call run the hand-written kernel faster. */
  static boolean needsThreads(LibraryCall call, String name) {
    VmContext context = call.args().contextOrNull();
    return REDUCTIONS.contains(name)
        && context != null
        && context.workers().parallelism() > 1
        && call.output().elementCount() == 1
        && call.tensors("x").getFirst().elementCount() > FEW;
  }

  /** Whether a function is chosen, by its name without prefix. */
  static boolean isChosen(String name) {
    return !TILES.contains(name) && !SLOWER.contains(name) && !INDICES.contains(name);
  }
}
