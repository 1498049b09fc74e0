package org.relaxvm.backendcpu.vector.gemm;

import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.vector.gemm.tile.Tile;

/** Makes right matrices of a product, which lie in memory in another form. */
interface RightSource {
  /**
   * The matrices, in panels of a tile.
   *
   * @param codec of the elements in memory
   */
  <A> RightMatrices<A> matrices(Tile<A> tile, Codec<A> codec);
}
