package org.relaxvm.backendcpu.vector.gemm;

import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.element.Operand;
import org.relaxvm.backendcpu.vector.gemm.tile.Tile;

/** Makes packers of matrices that lie in memory. */
final class Packers {
  private Packers() {}

  /**
   * The packer of one matrix.
   *
   * @param matrix its last two axes are rows and columns
   * @param at place of the matrix, in bytes
   * @param codec of its elements, which converts to those of the tile
   */
  static <A> PanelPacker<A> of(Tile<A> tile, Codec<A> codec, Operand matrix, long at) {
    long rowStep = matrix.stride(matrix.rank() - 2);
    long step = matrix.stride(matrix.rank() - 1);
    if (step == codec.bytes() && codec.bytes() == tile.codec().bytes()) {
      return (row, depth, column, columns, panel, panelAt) ->
          tile.packRows(
              matrix.memory(),
              at + row * rowStep + column * step,
              rowStep,
              depth,
              columns,
              panel,
              panelAt);
    }
    return (row, depth, column, columns, panel, panelAt) -> {
      int width = tile.columns();
      for (int p = 0; p < depth; p++) {
        long from = at + (row + p) * rowStep + column * step;
        int to = panelAt + p * width;
        codec.load(matrix.memory(), from, step, panel, to, to + columns);
        codec.lanes().fill(panel, to + columns, to + width, 0);
      }
    };
  }
}
