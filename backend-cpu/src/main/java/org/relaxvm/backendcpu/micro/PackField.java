package org.relaxvm.backendcpu.micro;

import org.relaxvm.machine.x64.Address;
import org.relaxvm.machine.x64.Gp;

/** Fields of the block of arguments of {@link PackCode}, 8 bytes each. Distances are in bytes. */
enum PackField {
  FROM,
  FROM_STEP,
  TO,
  TO_STEP,
  ROWS,
  /** Panels, blocks of columns, or columns. */
  COLUMNS,
  /** From row to row where {@link #FROM_STEP} is from column to column. */
  FROM_ROW_STEP,
  TO_ROW_STEP,
  /** Vectors of the panel at the edge; 0 for none. */
  EDGE_VECTORS,
  /** The mask of the last of them, as {@link Masks} has it. */
  EDGE;

  Address of(Gp block) {
    return Address.of(block, offset());
  }

  int offset() {
    return ordinal() * Long.BYTES;
  }
}
