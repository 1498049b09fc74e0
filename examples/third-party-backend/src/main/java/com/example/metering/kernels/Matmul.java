package com.example.metering.kernels;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Shape;
import org.relaxvm.api.kernels.Activation;

/** {@code relaxvm.matmul(a, b, bias, transpose_a, transpose_b, activation, out)}. */
final class Matmul {
  private Matmul() {}

  static long run(KernelCall call) {
    Matrices a = Matrices.of(call, "a", call.flag("transpose_a"));
    Matrices b = Matrices.of(call, "b", call.flag("transpose_b"));
    long m = a.rows;
    long k = a.columns;
    long n = b.columns;
    call.require(b.rows == k, "b", "a matrix of " + k + " rows", b.values.shape());
    Shape batch = Broadcast.of(a.batch, b.batch);
    call.require(batch != null, "b", "a tensor that broadcasts with " + a.batch, b.values.shape());
    Activation activation = call.activation();
    long[] dims = Arrays.copyOf(batch.toArray(), batch.rank() + 2);
    dims[batch.rank()] = m;
    dims[batch.rank() + 1] = n;
    Floats out = call.out(Shape.of(dims));
    @Nullable Floats bias = call.floatsOrNull("bias");
    if (bias != null) {
      call.require(
          out.shape().equals(Broadcast.of(bias.shape(), out.shape())),
          "bias",
          "a tensor that broadcasts to " + out.shape(),
          bias.shape());
    }
    for (long i = 0; i < out.count(); i++) {
      long aStart = a.start(batch, i / (m * n));
      long bStart = b.start(batch, i / (m * n));
      float sum = 0;
      for (long p = 0; p < k; p++) {
        sum += a.get(aStart, i / n % m, p) * b.get(bStart, p, i % n);
      }
      if (bias != null) {
        sum += bias.get(Broadcast.element(bias.shape(), out.shape(), i));
      }
      out.set(i, Epilogue.apply(activation, sum));
    }
    return out.count() * (2 * k + Epilogue.operations(activation, bias != null));
  }

  /** A tensor as matrices, one for each index of its leading axes. */
  private record Matrices(Floats values, Shape batch, long rows, long columns, boolean swapped) {
    static Matrices of(KernelCall call, String name, boolean swapped) {
      Floats values = call.floats(name);
      int rank = values.rank();
      call.require(rank >= 2, name, "a tensor of rank 2 or more", values.shape());
      Shape batch = Shape.of(Arrays.copyOf(values.shape().toArray(), rank - 2));
      long rows = values.dim(swapped ? rank - 1 : rank - 2);
      long columns = values.dim(swapped ? rank - 2 : rank - 1);
      return new Matrices(values, batch, rows, columns, swapped);
    }

    /** The first element of the matrix that a place in the whole batch uses. */
    long start(Shape wholeBatch, long place) {
      return Broadcast.element(batch, wholeBatch, place) * rows * columns;
    }

    float get(long start, long row, long column) {
      return values.get(start + (swapped ? column * rows + row : row * columns + column));
    }
  }
}
