package org.relaxvm.vmcore.tier;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.Managed;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.engine.RegisterArgs;
import org.relaxvm.api.engine.Registers;
import org.relaxvm.vmcore.decode.DecodedProgram;
import org.relaxvm.vmcore.decode.ExecutionChecks;
import org.relaxvm.vmcore.decode.InstructionCodes;

/**
 * What compiled code uses of a run: the arguments of its calls, the result, and counters; and the
 * instructions that it consists of, which generated code calls by their names. Used by one thread
 * at a time.
 */
public final class ChunkState {
  private static final int NOWHERE = -1;

  private final DecodedProgram program;
  private final RegisterArgs args;
  private final CallResult result;

  // Written by generated code: the instruction that is executed, while compiled code runs, and how
  // many were executed in the blocks before its own.
  int position = NOWHERE;
  long executed;

  /**
   * The state of a run.
   *
   * @param args the view of the registers of the run and of the program's constants; shared with
   *     the interpreter, which binds it
   * @param result takes the results of calls; shared with the interpreter
   */
  public ChunkState(DecodedProgram program, RegisterArgs args, CallResult result) {
    this.program = program;
    this.args = args;
    this.result = result;
  }

  /** The instructions executed since it was asked last. */
  public long takeExecuted() {
    long taken = executed;
    executed = 0;
    return taken;
  }

  /** The position of the instruction that failed in compiled code, once; -1 when none did. */
  public int takeFailedAt() {
    int taken = position;
    position = NOWHERE;
    return taken;
  }

  /** Forgets the counters. */
  public void clear() {
    position = NOWHERE;
    executed = 0;
  }

  /** What follows a direct call: the general call if it declined. */
  void finish(boolean done, @Nullable Object[] refs, long[] bits, int base, int at) {
    if (!done) {
      int[] code = program.code();
      call(program.packed(code[at + 2]), refs, bits, base, at, code[at + 3], code[at + 1]);
    }
  }

  /** A call of a packed function. */
  void call(
      PackedFunc callee,
      @Nullable Object[] refs,
      long[] bits,
      int base,
      int at,
      int count,
      int destination) {
    position = at;
    args.moveTo(base, at + InstructionCodes.CALL_WORDS, count);
    callee.call(args, result);
    long scalar = result.bits();
    Registers.write(refs, bits, base, destination, result.takeRef(), scalar);
  }

  /** Ends the execution of a chunk. */
  void leave() {
    position = NOWHERE;
  }

  /** A copy of a register. */
  static void copy(@Nullable Object[] refs, long[] bits, int base, int from, int to) {
    Registers.copy(refs, bits, base, to, refs[base + from], bits[base + from]);
  }

  /** A copy of a register that is not read again. */
  static void move(@Nullable Object[] refs, long[] bits, int base, int from, int to) {
    Object ref = refs[base + from];
    refs[base + from] = null;
    Registers.write(refs, bits, base, to, ref, bits[base + from]);
  }

  /** Empties a register. */
  static void release(@Nullable Object[] refs, int base, int register) {
    Object old = refs[base + register];
    refs[base + register] = null;
    if (old instanceof Managed managed) {
      managed.release();
    }
  }

  /** The condition in a register. */
  static boolean condition(@Nullable Object[] refs, long[] bits, int base, int register) {
    return ExecutionChecks.condition(refs[base + register], bits[base + register]);
  }
}
