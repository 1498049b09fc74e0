package org.relaxvm.vmcore.tier;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.Managed;
import org.relaxvm.api.VmContext;
import org.relaxvm.api.engine.RegisterArgs;
import org.relaxvm.vmcore.decode.DecodedProgram;

/**
 * What compiled code uses of a run: the arguments of its calls, the result, and counters. Used by
 * one thread at a time.
 */
public final class ChunkState {
  private static final int NOWHERE = -1;

  // Read by generated code, by these names.
  final RegisterArgs args;
  final CallResult result;
  @Nullable Object[] argRefs = new Object[16];
  long[] argBits = new long[16];

  private int @Nullable [] boundOperands;
  // Written by generated code: the instruction that is executed, while compiled code runs, and how
  // many were executed in the blocks before its own.
  int position = NOWHERE;
  long executed;

  /**
   * The state of a run.
   *
   * @param context what called functions get
   * @param result takes the results of calls; shared with the interpreter
   */
  public ChunkState(VmContext context, CallResult result) {
    this.args = new RegisterArgs(context);
    this.result = result;
  }

  /** Prepares for the calls of a chunk; called by generated code. */
  void enter(DecodedProgram program, int[] operands, int arguments) {
    boolean grows = arguments > argRefs.length;
    if (grows) {
      argRefs = new Object[Math.max(arguments, 2 * argRefs.length)];
      argBits = new long[argRefs.length];
    }
    if (grows || !isBoundTo(operands)) {
      args.bind(
          argRefs, argBits, 0, program.constantRefs(), program.constantBits(), operands, 0, 0);
      boundOperands = operands;
    }
  }

  @SuppressWarnings("ReferenceEquality") // the same array
  private boolean isBoundTo(int[] operands) {
    return boundOperands == operands;
  }

  /** Ends what {@link #enter} began; called by generated code. */
  void leave() {
    position = NOWHERE;
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

  /** Forgets everything; values among the arguments were borrowed. */
  public void clear() {
    Arrays.fill(argRefs, null);
    position = NOWHERE;
    executed = 0;
  }

  /** Takes an owner away from what may be a managed value; called by generated code. */
  static void release(@Nullable Object value) {
    if (value instanceof Managed managed) {
      managed.release();
    }
  }

  /** Gives what may be a managed value one more owner; called by generated code. */
  static void retain(@Nullable Object value) {
    if (value instanceof Managed managed) {
      managed.retain();
    }
  }
}
