package org.relaxvm.vmcore.decode;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.ScalarTag;
import org.relaxvm.api.engine.DirectCall;
import org.relaxvm.vmcore.executable.Executable;
import org.relaxvm.vmcore.executable.SourceNodes;

/**
 * A program in the form that is executed: the instructions of all functions in one array (see
 * {@link InstructionCodes}), every operand resolved to a register or to a constant.
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
    DirectCall[] direct,
    @Nullable Object[] constantRefs,
    long[] constantBits,
    int firstFunctionConstant,
    SourceNodes sourceNodes) {

  /** The same with the nodes of the model that the program was imported from. */
  public DecodedProgram withSourceNodes(SourceNodes nodes) {
    return new DecodedProgram(
        executable,
        code,
        positions,
        functions,
        packed,
        direct,
        constantRefs,
        constantBits,
        firstFunctionConstant,
        nodes);
  }

  /** The program counter of the instruction at an index of the code array. */
  public int pcOf(int position) {
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

  /** What to call for an entry of the function table that is not bytecode. */
  public PackedFunc packed(int index) {
    PackedFunc function = packed[index];
    if (function == null) {
      throw new IllegalStateException("function table entry " + index + " is not packed");
    }
    return function;
  }

  /** The name of entry {@code index} of the function table. */
  public String functionName(int index) {
    return executable.functions().get(index).name();
  }

  /** The value that a reference to entry {@code index} of the function table gives. */
  public Object functionValue(int index) {
    return Objects.requireNonNull(constantRefs[firstFunctionConstant + index]);
  }

  /** The values of the constant pool, scalars boxed; borrowed. */
  public List<@Nullable Object> pool() {
    return values(1, firstFunctionConstant);
  }

  /** What a reference to each entry of the function table gives. */
  public List<@Nullable Object> table() {
    return values(firstFunctionConstant, firstFunctionConstant + functions.length);
  }

  private List<@Nullable Object> values(int from, int to) {
    List<@Nullable Object> values = new ArrayList<>();
    for (int i = from; i < to; i++) {
      Object ref = constantRefs[i];
      values.add(ref instanceof ScalarTag tag ? tag.box(constantBits[i]) : ref);
    }
    return values;
  }
}
