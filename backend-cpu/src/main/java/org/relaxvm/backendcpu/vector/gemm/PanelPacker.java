package org.relaxvm.backendcpu.vector.gemm;

/**
 * Brings the right matrix of a product into panels: a few columns, row after row, so that the tile
 * reads one array from front to back. Where the matrix is none in memory, as in a convolution, the
 * packer makes it.
 *
 * <p>Thread-safe.
 *
 * @param <A> the array type
 */
interface PanelPacker<A> {
  /**
   * Packs one panel; columns that are missing become zeros.
   *
   * @param row first row
   * @param depth number of rows
   * @param column first column
   * @param columns how many there are, at most the width of a panel
   */
  void pack(long row, int depth, long column, int columns, A panel, int panelAt);
}
