package org.relaxvm.tir.cost;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.relaxvm.api.kernels.Aliasing;
import org.relaxvm.api.kernels.ArgumentRole;
import org.relaxvm.api.kernels.KernelLibrary;
import org.relaxvm.api.kernels.KernelSignature;
import org.relaxvm.tir.cost.CallArgument.OfNumber;
import org.relaxvm.tir.cost.CallArgument.OfTensor;

/**
 * Costs of the functions of the kernel library, by the shapes of their arguments. Bytes are those
 * of all tensors. Operations are counted for matmuls, convolutions, attention and whatever computes
 * each element by itself; activations, biases and masks are left out. Immutable and thread-safe.
 */
public final class LibraryCost {
  /** What takes elements as they are. */
  private static final Set<String> MOVES =
      Set.of("relaxvm.copy", "relaxvm.cast", "relaxvm.where", "relaxvm.broadcast_to");

  private final KernelLibrary library = KernelLibrary.standard();

  /**
   * The cost of a call.
   *
   * @param function such as {@code relaxvm.matmul}
   * @param args in the order of the call
   * @return {@link Cost#UNKNOWN} for another function, or arguments that it does not take
   */
  public Cost of(String function, List<CallArgument> args) {
    Optional<KernelSignature> row = library.find(function);
    if (row.isEmpty()
        || row.get().arguments().size() != args.size()
        || !(args.getLast() instanceof OfTensor out)) {
      return Cost.UNKNOWN;
    }
    double operations = out.dtype().isFloat() ? operations(row.get(), args, out) : Double.NaN;
    return hasLists(row.get())
        ? new Cost(OptionalLong.empty(), Cost.of(0, operations).operations())
        : Cost.of(CallArgument.bytes(args), operations);
  }

  private static boolean hasLists(KernelSignature row) {
    return row.arguments().stream().anyMatch(arg -> arg.role() == ArgumentRole.INPUT_LIST);
  }

  private static double operations(KernelSignature row, List<CallArgument> args, OfTensor out) {
    return switch (row.name().substring(row.name().indexOf('.') + 1)) {
      case "matmul", "matmul_residual" -> 2 * out.elements() * inner(row, args);
      case "conv2d", "conv2d_residual" ->
          2 * out.elements() * perFirst(args.get(row.indexOf("weight")));
      case "conv2d_transpose" ->
          args.get(row.indexOf("data")) instanceof OfTensor data
              ? 2 * data.elements() * perFirst(args.get(row.indexOf("weight")))
              : Double.NaN;
      case "attention" -> attention(args, out);
      default -> isElementwise(row) ? out.elements() : Double.NaN;
    };
  }

  /** The length of the reductions of a matmul. */
  private static double inner(KernelSignature row, List<CallArgument> args) {
    return args.getFirst() instanceof OfTensor a
            && a.shape().rank() >= 2
            && args.get(row.indexOf("transpose_a")) instanceof OfNumber(double transposed)
        ? a.shape().dim(a.shape().rank() - (transposed == 0 ? 1 : 2))
        : Double.NaN;
  }

  /** What of a weight belongs to one channel of its first axis. */
  private static double perFirst(CallArgument weight) {
    return weight instanceof OfTensor tensor && tensor.shape().rank() > 0
        ? tensor.elements() / tensor.shape().dim(0)
        : Double.NaN;
  }

  /** Two matmuls: scores of [sq, d] and [sk, d], and what [sq, sk] makes of [sk, dv]. */
  private static double attention(List<CallArgument> args, OfTensor out) {
    return args.get(0) instanceof OfTensor q
            && args.get(1) instanceof OfTensor k
            && k.shape().rank() == 4
        ? 2 * (q.elements() + out.elements()) * k.shape().dim(1)
        : Double.NaN;
  }

  /** Whether each element of the output is computed of those at the same index. */
  private static boolean isElementwise(KernelSignature row) {
    return row.aliasing() == Aliasing.SAME_ELEMENTS
        && !MOVES.contains(row.name())
        && row.arguments().stream()
            .filter(argument -> argument.role() == ArgumentRole.INPUT)
            .allMatch(argument -> argument.shape().startsWith("broadcast"));
  }
}
