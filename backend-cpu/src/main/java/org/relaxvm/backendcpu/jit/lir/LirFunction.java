package org.relaxvm.backendcpu.jit.lir;

import java.util.List;
import org.relaxvm.backendcpu.jit.lir.Operand.Reg;

/**
 * A function of the C signature {@code long f(long* block, long from, long to, char* scratch)}. It
 * returns 0, or the status of a failure, whose values are in the first words of the block then.
 *
 * @param name of dumps
 * @param block the address of words: first {@link #FAILURE_SLOTS} slots for failures, then what the
 *     caller and the code agree on
 * @param from the first iteration of a range
 * @param to one past the last iteration
 * @param scratch memory of this call
 * @param body what it does
 * @param registers how many virtual registers there are; their numbers are less
 */
public record LirFunction(
    String name, Reg block, Reg from, Reg to, Reg scratch, List<Lir> body, int registers) {
  /** The words at the start of a block that failures are described in. */
  public static final int FAILURE_SLOTS = 2;

  /** Copies the list. */
  public LirFunction {
    body = List.copyOf(body);
  }

  /** The instructions, one a line. */
  @Override
  public String toString() {
    return LirText.of(this);
  }
}
