package org.relaxvm.backendsupport.gpu.vendorgemm;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.spi.Device;
import org.relaxvm.backendsupport.gpu.foreign.CallStream;
import org.relaxvm.backendsupport.gpu.foreign.KernelArgument.Memory;
import org.relaxvm.tir.analysis.EpilogueFunction;

/**
 * The tensors of a GEMM, with the matrices in their last two axes, borrowed for a call.
 *
 * @param transposedA whether {@code a} lies as {@code [..., k, m]}
 * @param transposedB whether {@code b} lies as {@code [..., n, k]}
 * @param bias what is added to each row, or something else that no library adds; null for nothing
 * @param function of each element
 * @param out {@code [..., m, n]}
 */
public record Factors(
    Tensor a,
    boolean transposedA,
    Tensor b,
    boolean transposedB,
    @Nullable Tensor bias,
    EpilogueFunction function,
    Tensor out) {
  /**
   * Enqueues the GEMM where a library takes it; else does nothing.
   *
   * @param name of the function, for messages and profiles
   * @param args of the call, which say what stream it works in
   * @return whether it was enqueued
   */
  public boolean multiply(GemmLibrary library, Device device, String name, CallArgs args) {
    Optional<Gemm> gemm = gemm().filter(library::takes);
    if (gemm.isEmpty()) {
      return false;
    }
    GemmMemory memory =
        new GemmMemory(memory(a), memory(b), bias == null ? null : memory(bias), memory(out));
    boolean[] enqueued = new boolean[1];
    CallStream.use(
        args, device, stream -> enqueued[0] = library.multiply(gemm.get(), name, stream, memory));
    return enqueued[0];
  }

  private static Memory memory(Tensor tensor) {
    return new Memory(tensor.storage().memory(), tensor.byteOffset());
  }

  /**
   * The GEMM as libraries know it. Empty where tensors do not fit together or are not row-major,
   * where the result overlaps an operand, where matrices of a batch are used for some of its axes
   * only, and where a bias does not lie along the columns.
   */
  Optional<Gemm> gemm() {
    if (!areMatrices(a) || !areMatrices(b) || !areMatrices(out) || overlaps(a) || overlaps(b)) {
      return Optional.empty();
    }
    long m = rows(a, transposedA);
    long k = columns(a, transposedA);
    long n = columns(b, transposedB);
    long batch = batch(out);
    if (rows(b, transposedB) != k || rows(out, false) != m || columns(out, false) != n) {
      return Optional.empty();
    }
    boolean fits =
        a.dtype().equals(b.dtype())
            && a.dtype().equals(out.dtype())
            && out.shape().rank() == Math.max(a.shape().rank(), b.shape().rank())
            && isShared(a, batch)
            && isShared(b, batch)
            && (batch(a) == batch || batch(b) == batch)
            && (bias == null || isAlong(bias, n));
    return fits
        ? Optional.of(
            new Gemm(
                    a.dtype(),
                    transposedA,
                    transposedB,
                    m,
                    n,
                    k,
                    batch,
                    step(a, m * k),
                    step(b, k * n))
                .with(bias != null, function)
                .folded())
        : Optional.empty();
  }

  private static boolean areMatrices(Tensor tensor) {
    return tensor.shape().rank() >= 2 && isPlain(tensor);
  }

  private static boolean isPlain(Tensor tensor) {
    return tensor.isContiguous() && tensor.byteOffset() % tensor.dtype().elementByteSize() == 0;
  }

  /** Whether a bias has one element for each column. */
  private boolean isAlong(Tensor given, long n) {
    int rank = given.shape().rank();
    return rank >= 1
        && given.shape().dim(rank - 1) == n
        && given.elementCount() == n
        && given.dtype().equals(out.dtype())
        && isPlain(given)
        && !overlaps(given);
  }

  private boolean overlaps(Tensor operand) {
    return operand.storage().memory().equals(out.storage().memory())
        && operand.byteOffset() < out.byteOffset() + out.byteSize()
        && out.byteOffset() < operand.byteOffset() + operand.byteSize();
  }

  private static long rows(Tensor tensor, boolean transposed) {
    return tensor.shape().dim(tensor.shape().rank() - (transposed ? 1 : 2));
  }

  private static long columns(Tensor tensor, boolean transposed) {
    return tensor.shape().dim(tensor.shape().rank() - (transposed ? 2 : 1));
  }

  private static long batch(Tensor tensor) {
    long batch = 1;
    for (int axis = 0; axis < tensor.shape().rank() - 2; axis++) {
      batch *= tensor.shape().dim(axis);
    }
    return batch;
  }

  private static long step(Tensor operand, long matrix) {
    return batch(operand) == 1 ? 0 : matrix;
  }

  /** Whether an operand is one matrix, or one for each of the result's. */
  private boolean isShared(Tensor operand, long batch) {
    if (batch(operand) == 1) {
      return true;
    }
    Shape own = operand.shape();
    Shape all = out.shape();
    int missing = all.rank() - own.rank();
    for (int axis = 0; axis < all.rank() - 2; axis++) {
      long extent = axis < missing ? 1 : own.dim(axis - missing);
      if (extent != all.dim(axis)) {
        return false;
      }
    }
    return batch(operand) == batch;
  }
}
