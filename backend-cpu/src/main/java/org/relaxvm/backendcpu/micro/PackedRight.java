package org.relaxvm.backendcpu.micro;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.host.HostDevice;
import org.relaxvm.backendcpu.constant.KeptConstants;
import org.relaxvm.backendcpu.kernel.MatrixProduct;

/**
 * The panels of a constant right matrix, in native memory: packed at the first product and kept
 * with the constant. Block after block of the inner dimension, in each panel after panel.
 *
 * @param columns of the matrix, a multiple of those of a panel
 * @param bytes of an element
 */
record PackedRight(MemorySegment memory, long columns, int bytes) {
  private record Key(
      Element element, int panel, long offset, long rows, long columns, long rowStep, long step) {}

  /** The panels of the right matrix of a product; null where they are not kept. */
  static @Nullable PackedRight of(GemmCode code, MatrixProduct product, Tensor right) {
    if (!right.isConstant() || product.batches() != 1) {
      return null;
    }
    Matrix matrix = Matrix.of(product.right(), product.place(product.right(), 0));
    Key key =
        new Key(
            code.element(),
            Packing.panelColumns(code),
            product.place(product.right(), 0),
            product.k(),
            product.n(),
            matrix.rowStep(),
            matrix.step());
    long size = Packing.panelBytes(code, product.k(), product.n());
    return KeptConstants.get()
        .<Key, PackedRight>derive(
            right, key, size, ignored -> pack(code, matrix, product.k(), product.n()));
  }

  private static PackedRight pack(GemmCode code, Matrix matrix, long k, long n) {
    // Freed with the last reference, as all that is kept of constants.
    MemorySegment memory =
        HostDevice.allocateNative(
            Arena.ofAuto(), Packing.panelBytes(code, k, n), HostDevice.ALIGNMENT);
    int panel = Packing.panelColumns(code);
    long columns = Math.ceilDiv(n, (long) panel) * panel;
    PackedRight packed = new PackedRight(memory, columns, code.element().bytes());
    long depth = GemmGrid.blockDepth(k, code.element());
    Blocks.Block block = Blocks.all().take();
    Packing packing = new Packing(code, block);
    for (long start = 0; start < k; start += depth) {
      long count = Math.min(depth, k - start);
      packing.packRight(matrix.from(start, 0), count, n, packed.address(start, count, 0));
    }
    Blocks.all().give(block);
    return packed;
  }

  /** Where the panel of a column begins, in a block of the inner dimension. */
  long address(long start, long depth, long column) {
    return memory.address() + (start * columns + column * depth) * bytes;
  }
}
