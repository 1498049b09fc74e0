package org.relaxvm.backendcpu.kernel;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.kernels.Activation;
import org.relaxvm.api.parallel.WorkerPool;
import org.relaxvm.backendcpu.element.Lanes;
import org.relaxvm.backendcpu.element.Operand;

/**
 * A call of {@code relaxvm.matmul} whose arguments fit together. All operands have the leading axes
 * of the output, by strides of 0 where they broadcast; transposes are strides too.
 *
 * <p>Immutable; used by several threads during the call.
 *
 * @param dtype of all operands; integers of 8 bits may have a product of 32
 * @param floats how to compute in float32
 * @param left {@code [..., m, k]}
 * @param right {@code [..., k, n]}
 * @param bias {@code [..., m, n]}; null for none
 * @param residual {@code [..., m, n]}; null for none
 * @param out {@code [..., m, n]}
 * @param workers null outside of a VM
 */
public record MatrixProduct(
    DType dtype,
    Lanes<float[]> floats,
    Operand left,
    Operand right,
    @Nullable Operand bias,
    @Nullable Operand residual,
    Activation activation,
    Operand out,
    @Nullable WorkerPool workers) {

  /** Checks the arguments of a call. */
  public static MatrixProduct of(KernelCall call) {
    return of(call, 3, call.optionalTensor(2), false, call.activation(5));
  }

  /** Checks the arguments of a call of {@code relaxvm.matmul_residual}. */
  public static MatrixProduct ofResidual(KernelCall call) {
    return of(call, 4, call.optionalTensor(2), true, call.activation(6));
  }

  /**
   * Checks the arguments of a call of {@code relaxvm.matmul_integer}: the dtype is that of the
   * output.
   */
  public static MatrixProduct ofIntegers(KernelCall call) {
    return of(call, 2, null, false, Activation.NONE);
  }

  private static MatrixProduct of(
      KernelCall call,
      int transposes,
      @Nullable Tensor bias,
      boolean withResidual,
      Activation activation) {
    Tensor out = call.output();
    Operand a = matrix(call, 0, call.booleanAt(transposes));
    Operand b = matrix(call, 1, call.booleanAt(transposes + 1));
    long k = a.dim(a.rank() - 1);
    if (b.dim(b.rank() - 2) != k) {
      throw call.wrongShape(
          1, "a matrix of " + k + " rows to multiply " + call.tensor(0).shape() + " with");
    }
    if (bias == null && !withResidual && isProductOf(out.shape(), a, b)) {
      return new MatrixProduct(
          out.dtype(),
          call.floats(),
          a,
          b,
          null,
          null,
          activation,
          Operand.of(out),
          call.workers());
    }
    Shape shape = productShape(call, a, b);
    call.requireShape(call.count() - 1, shape);
    Operand stretchedBias = null;
    if (bias != null) {
      call.requireBroadcast(2, shape);
      stretchedBias = Operand.of(bias).broadcastTo(shape);
    }
    Operand residual = null;
    if (withResidual) {
      call.requireShape(3, shape);
      residual = Operand.of(call.tensor(3));
    }
    return new MatrixProduct(
        out.dtype(),
        call.floats(),
        stretched(a, shape),
        stretched(b, shape),
        stretchedBias,
        residual,
        activation,
        Operand.of(out),
        call.workers());
  }

  /** Whether these are single matrices, and the shape that of their product: the usual case. */
  private static boolean isProductOf(Shape shape, Operand a, Operand b) {
    return a.rank() == 2
        && b.rank() == 2
        && shape.rank() == 2
        && shape.dim(0) == a.dim(0)
        && shape.dim(1) == b.dim(1);
  }

  private static Operand matrix(KernelCall call, int index, boolean transposed) {
    Operand operand = Operand.of(call.tensor(index));
    if (operand.rank() < 2) {
      throw call.wrongShape(index, "a tensor of rank 2 or more");
    }
    return transposed ? transposed(operand) : operand;
  }

  private static Operand transposed(Operand operand) {
    int rank = operand.rank();
    int[] axes = new int[rank];
    for (int i = 0; i < rank; i++) {
      axes[i] = i < rank - 2 ? i : 2 * rank - 3 - i;
    }
    return operand.axes(axes);
  }

  private static Shape productShape(KernelCall call, Operand a, Operand b) {
    int rank = Math.max(a.rank(), b.rank());
    long[] dims = new long[rank];
    for (int fromEnd = 3; fromEnd <= rank; fromEnd++) {
      long x = fromEnd <= a.rank() ? a.dim(a.rank() - fromEnd) : 1;
      long y = fromEnd <= b.rank() ? b.dim(b.rank() - fromEnd) : 1;
      if (x != y && x != 1 && y != 1) {
        throw call.wrongShape(
            1, "a shape whose leading axes broadcast with those of " + call.tensor(0).shape());
      }
      dims[rank - fromEnd] = x == 1 ? y : x;
    }
    dims[rank - 2] = a.dim(a.rank() - 2);
    dims[rank - 1] = b.dim(b.rank() - 1);
    return Shape.of(dims);
  }

  /** The operand with the leading axes of the output; its own last two stay. */
  private static Operand stretched(Operand operand, Shape out) {
    int rank = operand.rank();
    if (rank == 2 && out.rank() == 2) {
      return operand;
    }
    long[] dims = out.toArray();
    dims[dims.length - 2] = operand.dim(rank - 2);
    dims[dims.length - 1] = operand.dim(rank - 1);
    long[] strides = operand.broadcastTo(Shape.of(dims)).strides();
    // An extent of 1 in a matrix keeps its stride, by which code recognises neighbours in memory.
    strides[dims.length - 2] = operand.stride(rank - 2);
    strides[dims.length - 1] = operand.stride(rank - 1);
    return new Operand(operand.memory(), operand.offset(), dims, strides);
  }

  /** Rows of the output. */
  public long m() {
    return out.dim(rowAxis());
  }

  /** Products that are added for one element. */
  public long k() {
    return left.dim(rowAxis() + 1);
  }

  /** Columns of the output. */
  public long n() {
    return out.dim(rowAxis() + 1);
  }

  /** The number of matrices in the output. */
  public long batches() {
    long batches = 1;
    for (int axis = 0; axis < rowAxis(); axis++) {
      batches *= out.dim(axis);
    }
    return batches;
  }

  /** The axis of the rows of all operands; the next one is that of the columns. */
  public int rowAxis() {
    return out.rank() - 2;
  }

  /** The place of a matrix of an operand, in bytes. */
  public long place(Operand operand, long batch) {
    long at = operand.offset();
    long left = batch;
    for (int axis = rowAxis() - 1; axis >= 0; axis--) {
      at += left % out.dim(axis) * operand.stride(axis);
      left /= out.dim(axis);
    }
    return at;
  }

  /** The same product with rows and columns exchanged: of the transposes, in turned order. */
  public MatrixProduct turned() {
    return new MatrixProduct(
        dtype,
        floats,
        transposed(right),
        transposed(left),
        bias == null ? null : transposed(bias),
        residual == null ? null : transposed(residual),
        activation,
        transposed(out),
        workers);
  }

  /**
   * The same product as one matrix, where all matrices of the left operand meet the same right one
   * and their rows follow each other at one distance; else this.
   */
  public MatrixProduct flat() {
    int axis = rowAxis();
    if (axis == 0) {
      return this;
    }
    for (int i = 0; i < axis; i++) {
      if (out.dim(i) > 1 && right.stride(i) != 0) {
        return this;
      }
    }
    long rows = batches() * m();
    Operand flatLeft = flat(left, rows);
    Operand flatOut = flat(out, rows);
    Operand flatBias = bias == null ? null : flat(bias, rows);
    Operand flatResidual = residual == null ? null : flat(residual, rows);
    if (flatLeft == null
        || flatOut == null
        || (bias != null && flatBias == null)
        || (residual != null && flatResidual == null)) {
      return this;
    }
    return new MatrixProduct(
        dtype,
        floats,
        flatLeft,
        right.axes(axis, axis + 1),
        flatBias,
        flatResidual,
        activation,
        flatOut,
        workers);
  }

  /** All rows of an operand along one axis; null where their distances differ. */
  private @Nullable Operand flat(Operand operand, long rows) {
    int columnAxis = rowAxis() + 1;
    long count = 1;
    long step = operand.stride(columnAxis - 1);
    for (int i = columnAxis - 1; i >= 0; i--) {
      if (out.dim(i) != 1) {
        if (count > 1 && operand.stride(i) != step * count) {
          return null;
        }
        step = count > 1 ? step : operand.stride(i);
        count *= out.dim(i);
      }
    }
    return new Operand(
        operand.memory(),
        operand.offset(),
        new long[] {rows, operand.dim(columnAxis)},
        new long[] {step, operand.stride(columnAxis)});
  }
}
