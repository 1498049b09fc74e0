package org.relaxvm.backendcpu.micro;

import org.relaxvm.machine.x64.Address;
import org.relaxvm.machine.x64.Gp;

/**
 * Fields of the block of arguments of GEMM code, 8 bytes each. Distances are in bytes. Code changes
 * the fields that say where it is.
 */
enum BlockField {
  /** The first row of the left matrix, unit stride along rows; changed. */
  LEFT,
  /** From one row of the left matrix to the next. */
  LEFT_STEP,
  /** The first row of the first panel of the right matrix, unit stride along rows. */
  RIGHT,
  /** From one row of the right matrix to the next. */
  RIGHT_STEP,
  /** From one panel of the right matrix to the next. */
  PANEL_STEP,
  /** The first row of the output, unit stride along rows; changed. */
  OUT,
  /** From one row of the output to the next. */
  OUT_STEP,
  /** From one panel of the output to the next. */
  OUT_PANEL_STEP,
  /** The inner dimension. */
  DEPTH,
  /** Panels without an edge. */
  PANELS,
  /** The mask of the last vector, as {@link Masks} has it. */
  EDGE,
  /** Bits of {@link TileCode}. */
  FLAGS,
  /** What is added to the first row of the output; changed. */
  RESIDUAL,
  RESIDUAL_STEP,
  /** What is added to all rows. */
  BIAS,
  /** Strips of the first height, the tiles for them; distances from strip to strip. */
  FIRST_STRIPS,
  FIRST_TILE,
  FIRST_EDGE_TILE,
  FIRST_LEFT_STEP,
  FIRST_OUT_STEP,
  FIRST_RESIDUAL_STEP,
  /** Strips of the second height. */
  SECOND_STRIPS,
  SECOND_TILE,
  SECOND_EDGE_TILE,
  SECOND_LEFT_STEP,
  SECOND_OUT_STEP,
  SECOND_RESIDUAL_STEP,
  /** Where the code is. */
  STRIPS_LEFT,
  PANELS_LEFT,
  RIGHT_AT,
  OUT_AT;

  int offset() {
    return ordinal() * Long.BYTES;
  }

  /** The field of the block that a register has the address of. */
  Address of(Gp block) {
    return Address.of(block, offset());
  }

  /** The field of the second height of strips that this one is of the first. */
  BlockField second() {
    return values()[ordinal() + SECOND_STRIPS.ordinal() - FIRST_STRIPS.ordinal()];
  }
}
