package org.relaxvm.vmcore.tier;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.relaxvm.vmcore.decode.InstructionCodes;

/**
 * A position at which compiled code can be entered. Immutable.
 *
 * @param code the class
 * @param number of the entry in the class
 * @param blockStarts positions of the function's basic blocks, ascending
 */
@SuppressWarnings("ArrayRecordComponent") // shared by all entries of a function, never changed
public record CompiledEntry(CompiledCode code, int number, int[] blockStarts) {
  /** Executes from here on; see {@link CompiledCode#run}. */
  public int run(ChunkState state, @Nullable Object[] refs, long[] bits, int base) {
    return code.run(state, refs, bits, base, number);
  }

  /** The instructions of the block of a position, up to and with the one there. */
  public int instructionsUntil(int[] instructions, int position) {
    int found = Arrays.binarySearch(blockStarts, position);
    int at = blockStarts[found >= 0 ? found : -found - 2];
    int count = 1;
    while (at < position) {
      at += InstructionCodes.length(instructions, at);
      count++;
    }
    return count;
  }
}
