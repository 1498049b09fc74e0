package org.relaxvm.backendsupport.gpu.codegen;

import org.relaxvm.api.DType;

/**
 * What the work-items of a subgroup add to their accumulators of float32 together: the GEMM in
 * shared memory, as deep as {@link org.relaxvm.backendsupport.gpu.MatrixUnit#depth} of their dtype,
 * in tiles of its rows and columns.
 *
 * @param dtype of the operands, of 8 or 16 bits
 * @param rowTiles tiles along the rows
 * @param columnTiles tiles along the columns
 * @param accumulators an array of a work-item: its accumulators of the first tile, of the next one
 *     along the columns, and so on row by row of tiles
 * @param rows the operand that moves along the rows
 * @param columns the operand that moves along the columns
 */
public record MatrixMultiplyAdd(
    DType dtype,
    int rowTiles,
    int columnTiles,
    String accumulators,
    Operand rows,
    Operand columns) {
  /**
   * A matrix in shared memory, whose elements lie as they do in memory of the device.
   *
   * @param array an array of the work-group
   * @param index of the first element, the same for all work-items of a subgroup
   * @param along how far apart neighbours along the rows or columns are, in elements
   * @param depth how far apart neighbours along the depth are, in elements
   */
  public record Operand(String array, String index, int along, int depth) {}
}
