package org.relaxvm.vmcore.interp;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.ScalarTag;
import org.relaxvm.vmcore.executable.Executable;

/**
 * A program in the form that the interpreter reads: the instructions of all functions in one array
 * (see {@link InstructionCodes}), every operand resolved to a register or to a constant.
 *
 * <p>Not to be changed once made; then thread-safe.
 */
@SuppressWarnings("ArrayRecordComponent")
public record DecodedProgram(
    Executable executable,
    int[] code,
    int[] positions,
    @Nullable DecodedFunction[] functions,
    @Nullable PackedFunc[] packed,
    @Nullable Object[] constantRefs,
    long[] constantBits,
    int firstFunctionConstant) {

  /** The program counter of the instruction at an index of the code array. */
  int pcOf(int position) {
    int found = Arrays.binarySearch(positions, position);
    if (found < 0) {
      return -found - 2;
    }
    // Instructions that belong to no function take no room: the last of equal positions is it.
    while (found + 1 < positions.length && positions[found + 1] == position) {
      found++;
    }
    return found;
  }

  /** The name of entry {@code index} of the function table. */
  String functionName(int index) {
    return executable.functions().get(index).name();
  }

  /** The value that a reference to entry {@code index} of the function table gives. */
  Object functionValue(int index) {
    return Objects.requireNonNull(constantRefs[firstFunctionConstant + index]);
  }

  /** The constant pool as compiled functions see it, made anew. */
  AnyList pool() {
    return values(1, firstFunctionConstant);
  }

  /** The function table as compiled functions see it, made anew. */
  AnyList table() {
    return values(firstFunctionConstant, firstFunctionConstant + functions.length);
  }

  private AnyList values(int from, int to) {
    List<@Nullable Object> values = new ArrayList<>();
    for (int i = from; i < to; i++) {
      Object ref = constantRefs[i];
      values.add(ref instanceof ScalarTag tag ? tag.box(constantBits[i]) : ref);
    }
    return AnyList.view(values);
  }
}
