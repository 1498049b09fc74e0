package org.relaxvm.api.kernels;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The table of the kernel library: the functions {@code relaxvm.<op>} that a device offers through
 * {@link org.relaxvm.api.spi.Device#library()}. Backends, documents and tests read this one table.
 *
 * <p><b>Calls.</b> Kernels are destination-passing: they return nothing and write into tensors that
 * the caller gives. Arguments are positional, in the order inputs, attributes, outputs; an optional
 * argument is null. The calls that models need most:
 *
 * <pre>{@code
 * relaxvm.matmul(a, b, bias|null, transpose_a, transpose_b, activation, out)
 * relaxvm.conv2d(data, weight, bias|null, strides, padding, dilation, groups, activation, out)
 * relaxvm.conv2d_residual(data, weight, bias|null, residual, strides, padding, dilation, groups,
 *     activation, out)
 * relaxvm.max_pool2d(x, pool_size, strides, padding, dilation, ceil_mode, out)
 * relaxvm.softmax(x, axis, out)
 * relaxvm.reshape(x, out)
 * }</pre>
 *
 * with {@code strides}, {@code dilation}, {@code pool_size} shapes of 2, {@code padding} a shape of
 * 4 (top, left, bottom, right) and {@code activation} a string such as {@code "none"} or {@code
 * "relu"}.
 *
 * <p><b>Shapes.</b> Every tensor may have any strides, 0 and negative ones included for inputs; an
 * output must not visit one element twice. Rank 0 and extents of 0 are legal. "Broadcast" is that
 * of NumPy.
 *
 * <p><b>Parts.</b> A device may bring some of the kernels: a program that needs another one is
 * refused when it is linked. Its kernels may leave out dtypes and strides; they refuse them as any
 * wrong argument. The conformance kit asks for what the device has.
 *
 * <p><b>Errors.</b> A wrong argument raises a {@link org.relaxvm.api.error.CallException} that
 * names kernel and argument, with what was expected and what was given; nothing was written then.
 *
 * <p>Immutable and thread-safe.
 */
public final class KernelLibrary {
  private final List<KernelSignature> signatures;

  private KernelLibrary(List<KernelSignature> signatures) {
    this.signatures = List.copyOf(signatures);
  }

  /** The table. */
  public static KernelLibrary standard() {
    List<KernelSignature> rows = new ArrayList<>();
    rows.addAll(NeuralKernels.signatures());
    rows.addAll(NormalizationKernels.signatures());
    rows.addAll(AttentionKernels.signatures());
    rows.addAll(ElementwiseKernels.signatures());
    rows.addAll(FunctionKernels.signatures());
    rows.addAll(ReductionKernels.signatures());
    rows.addAll(DataMovementKernels.signatures());
    rows.addAll(LayoutKernels.signatures());
    rows.addAll(IndexingKernels.signatures());
    rows.addAll(OrderingKernels.signatures());
    return new KernelLibrary(rows);
  }

  /** All rows, in the order of the documents. */
  public List<KernelSignature> signatures() {
    return signatures;
  }

  /** The row of a kernel, such as {@code relaxvm.matmul}. */
  public Optional<KernelSignature> find(String name) {
    return signatures.stream().filter(row -> row.name().equals(name)).findFirst();
  }
}
