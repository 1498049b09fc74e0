package org.relaxvm.backendcpu.substitution;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.analysis.KernelAnalysis;
import org.relaxvm.tir.analysis.Stage;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.op.LibraryHint;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BlockRealize;

/**
 * A kernel in which a call of the kernel library stands for the stages that compute what the
 * function of its hint does, and those after them that the function can do too. All other stages
 * stay as they are.
 *
 * @param kernel with the parameters of the original one, to generate code of; it calls {@value
 *     #FUNCTION}
 * @param call what is called, with the arguments of the kernel: it tells whether it is worth it
 * @param function what {@value #FUNCTION} is: takes the buffers that the kernel names
 */
public record SplitKernel(PrimFunc kernel, LibraryCall call, PackedFunc function) {
  /** The name by which the kernel calls the function. */
  public static final String FUNCTION = "library";

  /** How far after a product its epilogue may end. */
  private static final int MOST_BUFFERS = 8;

  /**
   * The split of a kernel; empty when its hint names no stages that can be told from the others, or
   * no function that is there.
   *
   * @param library finds functions by name, such as {@code relaxvm.matmul}
   * @throws org.relaxvm.api.error.InvalidProgramException when the kernel names an argument in a
   *     way that cannot be read
   */
  public static Optional<SplitKernel> of(
      KernelAnalysis kernel, Function<String, Optional<PackedFunc>> library) {
    Optional<Buffer> product = LibraryHint.output(kernel);
    boolean fits =
        product.isPresent()
            && kernel.kernel().body() instanceof BlockRealize root
            && root.block().name().equals(Block.ROOT);
    if (!fits) {
      return Optional.empty();
    }
    for (Buffer end : ends(kernel, product.get()).reversed()) {
      Optional<SplitKernel> split =
          ProductPart.of(kernel, product.get(), end)
              .flatMap(
                  part ->
                      LibraryCall.of(KernelAnalysis.of(part.alone()), library)
                          .flatMap(call -> part.replaced(call)));
      if (split.isPresent()) {
        return split;
      }
    }
    return Optional.empty();
  }

  /**
   * What the kernel calls: this function by its own name, all others as they were.
   *
   * @param others finds what the original kernel calls
   */
  public Function<String, Optional<PackedFunc>> functions(
      Function<String, Optional<PackedFunc>> others) {
    return name -> name.equals(FUNCTION) ? Optional.of(function) : others.apply(name);
  }

  /** The buffers with which the library may be done: the product, and results of its shape. */
  private static List<Buffer> ends(KernelAnalysis kernel, Buffer product) {
    Set<Buffer> ends = new LinkedHashSet<>(List.of(product));
    boolean follows = false;
    for (Stage stage : kernel.stages()) {
      boolean writes = stage.writes(product);
      follows |= writes;
      if (follows && !writes && !kernel.kernel().buffers().contains(product)) {
        stage.writes().stream()
            .filter(buffer -> buffer.shape().equals(product.shape()))
            .filter(buffer -> ends.size() < MOST_BUFFERS)
            .forEach(ends::add);
      }
    }
    return List.copyOf(ends);
  }
}
