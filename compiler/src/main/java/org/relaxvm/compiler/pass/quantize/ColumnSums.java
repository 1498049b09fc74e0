package org.relaxvm.compiler.pass.quantize;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.ir.Constant;
import org.relaxvm.compiler.ir.Expr;

/**
 * Column sums of constant matrices of 8-bit integers. Constant folding would make a tensor of int32
 * of each of the weights first.
 */
final class ColumnSums {
  private ColumnSums() {}

  /**
   * The sums over the rows of matrices {@code [..., k, n]}: int32 {@code [..., 1, n]}. Empty for
   * what is no such constant.
   */
  static Optional<Expr> of(Expr matrices) {
    if (!(matrices instanceof Constant constant)) {
      return Optional.empty();
    }
    Tensor tensor = constant.data();
    boolean isSigned = tensor.dtype().equals(DType.INT8);
    boolean isInteger = isSigned || tensor.dtype().equals(DType.UINT8);
    int rank = tensor.shape().rank();
    if (!isInteger || rank < 2 || !tensor.device().isHost() || !tensor.isContiguous()) {
      return Optional.empty();
    }
    long[] dims = tensor.shape().toArray();
    int rows = Math.toIntExact(dims[rank - 2]);
    int columns = Math.toIntExact(dims[rank - 1]);
    dims[rank - 2] = 1;
    Shape shape = Shape.of(dims);
    int[] sums = new int[Math.toIntExact(shape.elementCount())];
    MemorySegment elements = tensor.segment();
    long at = 0;
    for (int first = 0; first < sums.length; first += Math.max(columns, 1)) {
      for (int row = 0; row < rows; row++) {
        for (int column = 0; column < columns; column++) {
          byte element = elements.get(JAVA_BYTE, at++);
          sums[first + column] += isSigned ? element : element & 0xFF;
        }
      }
    }
    return Optional.of(new Constant(Tensor.of(sums, shape), constant.tensorType().vdevice()));
  }
}
