package org.relaxvm.vmcore.interp;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.ScalarTag;
import org.relaxvm.api.engine.RegisterArgs;
import org.relaxvm.api.engine.Registers;
import org.relaxvm.vmcore.decode.DecodedProgram;
import org.relaxvm.vmcore.decode.InstructionCodes;

/**
 * Executes instructions of a region in one thread, on the registers of a frame that other threads
 * use as well. Operands of calls are copied: the context among them is that of this thread.
 */
final class RegionWorker {
  private final RunContext context;
  private final CallResult result;
  private final RegisterArgs args;
  private @Nullable Object[] argRefs = new Object[16];
  private long[] argBits = new long[16];
  private int[] operands = upTo(16);

  RegionWorker(Run run) {
    this.context = run.context;
    this.result = run.result;
    this.args = new RegisterArgs(run.context);
  }

  /**
   * Executes the instruction at a position: a move, or a call of a packed function.
   *
   * @param hook what is told of calls; null for none
   */
  void execute(
      DecodedProgram program,
      int at,
      @Nullable Object[] refs,
      long[] bits,
      int base,
      @Nullable CallHook hook) {
    int[] code = program.code();
    int destination = code[at + 1];
    int first = at + InstructionCodes.CALL_WORDS;
    if (code[at] == InstructionCodes.CLEAR) {
      Registers.write(refs, bits, base, destination, null, 0);
    } else if (code[at] == InstructionCodes.MOVE) {
      int from = code[first];
      Object ref = from >= 0 ? refs[base + from] : program.constantRefs()[~from];
      long scalar = from >= 0 ? bits[base + from] : program.constantBits()[~from];
      Registers.copy(refs, bits, base, destination, ref, scalar);
    } else {
      bind(program, first, code[at + 3], refs, bits, base);
      PackedFunc function = program.packed(code[at + 2]);
      if (hook != null && hook.before(function, program.functionName(code[at + 2]), args)) {
        Registers.write(refs, bits, base, destination, null, 0);
        return;
      }
      function.call(args, result);
      if (hook != null) {
        Object value =
            result.ref() instanceof ScalarTag tag ? tag.box(result.bits()) : result.ref();
        hook.after(function, program.functionName(code[at + 2]), args, value);
      }
      long scalar = result.bits();
      Registers.write(refs, bits, base, destination, result.takeRef(), scalar);
    }
  }

  /** Drops the result of a call that failed. */
  void dropResult() {
    result.setNull();
  }

  /** Forgets the operands, which were borrowed. */
  void end() {
    Arrays.fill(argRefs, null);
  }

  private void bind(
      DecodedProgram program,
      int first,
      int count,
      @Nullable Object[] refs,
      long[] bits,
      int base) {
    if (count > argRefs.length) {
      argRefs = new Object[2 * count];
      argBits = new long[2 * count];
      operands = upTo(2 * count);
    }
    int[] code = program.code();
    for (int i = 0; i < count; i++) {
      int operand = code[first + i];
      Object ref = operand >= 0 ? refs[base + operand] : program.constantRefs()[~operand];
      argRefs[i] = ref instanceof RunContext ? context : ref;
      argBits[i] = operand >= 0 ? bits[base + operand] : program.constantBits()[~operand];
    }
    args.bind(argRefs, argBits, 0, new Object[0], new long[0], operands, 0, count);
  }

  private static int[] upTo(int count) {
    int[] numbers = new int[count];
    Arrays.setAll(numbers, i -> i);
    return numbers;
  }
}
