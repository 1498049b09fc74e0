package org.relaxvm.backendcpu.micro;

import java.lang.foreign.MemorySegment;
import org.relaxvm.backendcpu.micro.Blocks.Block;
import org.relaxvm.backendcpu.vector.ProcessMemory;

/**
 * Copies matrices of any strides into the order in which tiles read them. For one thread.
 *
 * @param code of the element type
 * @param block for arguments
 */
record Packing(GemmCode code, Block block) {
  /** Bytes between packed rows of the left matrix, which keeps them out of each other's sets. */
  private static final int GAP = 64;

  /** Elements of a row of a panel. */
  static int panelColumns(GemmCode code) {
    return code.unit().panelVectors() * code.lanes();
  }

  /** From one packed row of the left matrix to the next. */
  static long leftStep(GemmCode code, long depth) {
    return Math.ceilDiv(depth * code.element().bytes(), (long) GAP) * GAP + GAP;
  }

  /** Bytes of panels for so many rows and columns. */
  static long panelBytes(GemmCode code, long depth, long columns) {
    long panel = panelColumns(code);
    return Math.ceilDiv(columns, panel) * panel * depth * code.element().bytes();
  }

  /** Copies rows of the left matrix to rows with unit stride. */
  void packLeft(Matrix from, long rows, long depth, long to, long toStep) {
    int bytes = code.element().bytes();
    if (from.step() == bytes) {
      MemorySegment all = ProcessMemory.ALL;
      for (long i = 0; i < rows; i++) {
        long source = ProcessMemory.known(from.address() + i * from.rowStep());
        MemorySegment.copy(all, source, all, to + i * toStep, depth * bytes);
      }
    } else if (from.rowStep() == bytes) {
      transpose(from.transposed(), depth, rows, to, toStep);
    } else {
      copy(from, rows, depth, new Matrix(to, toStep, bytes));
    }
  }

  /** Copies rows of the right matrix to panels, one after the other. */
  void packRight(Matrix from, long depth, long columns, long to) {
    int bytes = code.element().bytes();
    int panel = panelColumns(code);
    long panelStep = panel * depth * bytes;
    long edge = columns % panel;
    if (from.step() == bytes) {
      int lanes = code.lanes();
      int edgeVectors = (int) Math.ceilDiv(edge, (long) lanes);
      block.set(PackField.FROM, from.address());
      block.set(PackField.FROM_STEP, from.rowStep());
      block.set(PackField.TO, to);
      block.set(PackField.TO_STEP, panelStep);
      block.set(PackField.ROWS, depth);
      block.set(PackField.COLUMNS, columns / panel);
      block.set(PackField.EDGE_VECTORS, edgeVectors);
      block.set(PackField.EDGE, code.mask((int) (edge - Math.max(0, edgeVectors - 1) * lanes)));
      block.call(code.panels());
      return;
    }
    for (long column = 0; column < columns; column += panel) {
      long count = Math.min(panel, columns - column);
      long panelAt = to + column / panel * panelStep;
      if (count < panel) {
        ProcessMemory.at(panelAt, panelStep).fill((byte) 0);
      }
      Matrix source = from.from(0, column);
      long toStep = (long) panel * bytes;
      if (source.rowStep() == bytes) {
        transpose(source.transposed(), count, depth, panelAt, toStep);
      } else {
        copy(source, depth, count, new Matrix(panelAt, toStep, bytes));
      }
    }
  }

  /** Transposes a matrix with unit stride along its rows. */
  private void transpose(Matrix from, long rows, long columns, long to, long toStep) {
    int bytes = code.element().bytes();
    int lanes = code.lanes();
    long rowBlocks = rows / lanes;
    long columnBlocks = columns / lanes;
    long wholeRows = rowBlocks * lanes;
    long wholeColumns = columnBlocks * lanes;
    if (rowBlocks > 0 && columnBlocks > 0) {
      block.set(PackField.FROM, from.address());
      block.set(PackField.FROM_STEP, from.rowStep());
      block.set(PackField.TO, to);
      block.set(PackField.TO_STEP, toStep);
      block.set(PackField.ROWS, rowBlocks);
      block.set(PackField.COLUMNS, columnBlocks);
      block.call(code.transpose());
    }
    Matrix into = new Matrix(to, bytes, toStep);
    copy(from.from(0, wholeColumns), wholeRows, columns - wholeColumns, into.from(0, wholeColumns));
    copy(from.from(wholeRows, 0), rows - wholeRows, columns, into.from(wholeRows, 0));
  }

  /** Copies element by element. */
  void copy(Matrix from, long rows, long columns, Matrix to) {
    if (rows == 0 || columns == 0) {
      return;
    }
    block.set(PackField.FROM, from.address());
    block.set(PackField.FROM_STEP, from.step());
    block.set(PackField.FROM_ROW_STEP, from.rowStep());
    block.set(PackField.TO, to.address());
    block.set(PackField.TO_STEP, to.step());
    block.set(PackField.TO_ROW_STEP, to.rowStep());
    block.set(PackField.ROWS, rows);
    block.set(PackField.COLUMNS, columns);
    block.call(code.elements());
  }
}
