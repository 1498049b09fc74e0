package org.relaxvm.backendcpu.micro;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.kernels.Activation;
import org.relaxvm.backendcpu.element.Operand;
import org.relaxvm.backendcpu.kernel.MatrixProduct;

/**
 * Which parts of an epilogue tiles compute, and which are left for rows of the output: parts in
 * order, as far as tiles know them.
 *
 * @param flags of {@link TileCode} for the last block of the inner dimension
 * @param remaining the product with what is left; null where nothing is left
 */
record Epilogues(int flags, @Nullable MatrixProduct remaining) {
  /**
   * Divides the epilogue of a product.
   *
   * @param bytes of an element
   * @param isStaged whether sums are not in the output until rows of them are finished
   */
  static Epilogues of(MatrixProduct product, int bytes, boolean isStaged) {
    Operand residual = product.residual();
    Operand bias = product.bias();
    Activation activation = product.activation();
    int axis = product.rowAxis();
    int flags = 0;
    if (!isStaged) {
      if (residual != null && residual.stride(axis + 1) == bytes) {
        flags |= TileCode.WITH_RESIDUAL;
        residual = null;
      }
      boolean isRow =
          bias != null
              && bias.stride(axis + 1) == bytes
              && (bias.stride(axis) == 0 || product.m() == 1);
      if (residual == null && isRow) {
        flags |= TileCode.WITH_BIAS;
        bias = null;
      }
      if (residual == null && bias == null && activation == Activation.RELU) {
        flags |= TileCode.WITH_RELU;
        activation = Activation.NONE;
      }
    }
    boolean isDone = residual == null && bias == null && activation == Activation.NONE;
    if (isDone && !isStaged) {
      return new Epilogues(flags, null);
    }
    return new Epilogues(
        flags,
        new MatrixProduct(
            product.dtype(),
            product.floats(),
            product.left(),
            product.right(),
            bias,
            residual,
            activation,
            product.out(),
            product.workers()));
  }
}
