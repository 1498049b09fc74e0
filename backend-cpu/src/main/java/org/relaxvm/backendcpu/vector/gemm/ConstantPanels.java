package org.relaxvm.backendcpu.vector.gemm;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.Tensor;
import org.relaxvm.backendcpu.constant.KeptConstants;
import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.element.Operand;
import org.relaxvm.backendcpu.kernel.MatrixProduct;
import org.relaxvm.backendcpu.vector.gemm.tile.Tile;

/**
 * The panels of a whole right matrix that is constant: packed at the first product, kept with the
 * constant. Block after block of the inner dimension, in each panel after panel.
 *
 * @param panel columns of a panel
 * @param depth of a block
 */
record ConstantPanels(
    DType dtype,
    int panel,
    int depth,
    long offset,
    long rows,
    long columns,
    long rowStep,
    long step) {
  /** Whether panels of the right matrix are kept, while there is memory for them. */
  static boolean areKept(MatrixProduct product, Tensor right) {
    return right.isConstant() && product.batches() == 1;
  }

  /**
   * The panels of the right matrix of a product; null where they are not kept.
   *
   * @param right the tensor whose operand is the right matrix
   */
  static <A> @Nullable A of(Tile<A> tile, Codec<A> codec, MatrixProduct product, Tensor right) {
    if (!areKept(product, right)) {
      return null;
    }
    Operand matrix = product.right();
    int axis = product.rowAxis();
    ConstantPanels key =
        new ConstantPanels(
            product.dtype(),
            tile.columns(),
            GemmPlan.blockDepth(product.k()),
            matrix.offset(),
            product.k(),
            product.n(),
            matrix.stride(axis),
            matrix.stride(axis + 1));
    if (key.length() > Integer.MAX_VALUE / 2) {
      return null;
    }
    return KeptConstants.get()
        .<ConstantPanels, A>derive(
            right,
            key,
            key.length() * tile.codec().bytes(),
            k -> k.pack(tile, Packers.of(tile, codec, matrix, product.place(matrix, 0))));
  }

  /** Where a panel begins. */
  static int at(long start, int depth, long columns, long column, int panel) {
    return (int) (start * (Math.ceilDiv(columns, (long) panel) * panel) + column * depth);
  }

  private long length() {
    return Math.ceilDiv(columns, (long) panel) * panel * rows;
  }

  private <A> A pack(Tile<A> tile, PanelPacker<A> packer) {
    A panels = tile.array((int) length());
    for (long start = 0; start < rows; start += depth) {
      int count = (int) Math.min(depth, rows - start);
      for (long column = 0; column < columns; column += panel) {
        int width = (int) Math.min(panel, columns - column);
        packer.pack(start, count, column, width, panels, at(start, count, columns, column, panel));
      }
    }
    return panels;
  }
}
