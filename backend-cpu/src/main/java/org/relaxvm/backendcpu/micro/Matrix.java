package org.relaxvm.backendcpu.micro;

import org.relaxvm.backendcpu.element.Operand;

/**
 * A matrix in native memory.
 *
 * @param address of its first element
 * @param rowStep from one row to the next, in bytes
 * @param step from one element of a row to the next, in bytes
 */
record Matrix(long address, long rowStep, long step) {
  /** A matrix of an operand, whose first element is at an offset. */
  static Matrix of(Operand operand, long offset) {
    int axis = operand.rank() - 2;
    return new Matrix(
        operand.memory().address() + offset, operand.stride(axis), operand.stride(axis + 1));
  }

  /** The part that begins at an element. */
  Matrix from(long row, long column) {
    return new Matrix(address + row * rowStep + column * step, rowStep, step);
  }

  Matrix transposed() {
    return new Matrix(address, step, rowStep);
  }
}
