package org.relaxvm.backendcpu.micro;

import org.relaxvm.machine.x64.Address;
import org.relaxvm.machine.x64.Gp;

/** Fields of the block of arguments of {@link SkinnyCode}, 8 bytes each. Distances are in bytes. */
enum SkinnyField {
  /** Elements of the left matrix, unit stride along rows. */
  LEFT,
  /** From row to row of the left matrix. */
  LEFT_STEP,
  /** From one of the rows that are read at once to the next: in the left matrix, in the right. */
  LEFT_DISTANCE,
  RIGHT,
  RIGHT_DISTANCE,
  /** From the rows that are read at once to the next ones. */
  RIGHT_STEP,
  /** Sums, and the distance of their rows. */
  SUMS,
  SUMS_STEP,
  /** Vectors without the edge. */
  VECTORS,
  /** Whether there is a vector at the edge; its mask, as {@link Masks} has it. */
  HAS_EDGE,
  EDGE,
  /** How many times to go on to the next rows. */
  COUNT;

  int offset() {
    return ordinal() * Long.BYTES;
  }

  Address of(Gp block) {
    return Address.of(block, offset());
  }
}
