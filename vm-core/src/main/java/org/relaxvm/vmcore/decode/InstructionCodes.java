package org.relaxvm.vmcore.decode;

/**
 * The decoded instructions. A call is {@code code, dst, function, n, direct, operand * n}; the
 * others are {@code code, operand} and, for the condition, {@code , target}. Operands are register
 * numbers or {@code ~index} of a constant; a destination of -1 drops the result; {@code direct} is
 * the index of a direct call that may stand for the instruction, or -1; targets are indices in the
 * code array.
 */
public final class InstructionCodes {
  /** Calls a packed function. */
  public static final int CALL_PACKED = 0;

  /** Calls a bytecode function. */
  public static final int CALL_BYTECODE = 1;

  /** Calls the closure invoker, and so its second argument. */
  public static final int CALL_CLOSURE = 2;

  /** Ends the function. */
  public static final int RETURN = 3;

  /** Jumps forward. */
  public static final int JUMP = 4;

  /** Jumps backward. */
  public static final int LOOP = 5;

  /** Jumps when the operand is 0. */
  public static final int BRANCH = 6;

  /** Copies an operand to the destination; laid out as the call that it stands for. */
  public static final int MOVE = 7;

  /** Sets the destination to null; laid out as the call that it stands for. */
  public static final int CLEAR = 8;

  /** Calls a bytecode function, which reuses the frame: the result is returned as it is. */
  public static final int TAIL_CALL_BYTECODE = 9;

  /** Calls the closure invoker likewise. */
  public static final int TAIL_CALL_CLOSURE = 10;

  /** Words of a call before its operands. */
  public static final int CALL_WORDS = 5;

  /** The word of a call that holds the index of its direct call. */
  public static final int DIRECT_WORD = 4;

  /** No direct call. */
  public static final int NO_DIRECT = -1;

  /** The destination that drops the result. */
  public static final int NO_DESTINATION = -1;

  private InstructionCodes() {}

  /** Whether an instruction is laid out as a call. */
  public static boolean isCall(int code) {
    return switch (code) {
      case RETURN, JUMP, LOOP, BRANCH -> false;
      default -> true;
    };
  }

  /** The words of the instruction at a position. */
  public static int length(int[] code, int position) {
    int op = code[position];
    return isCall(op) ? CALL_WORDS + code[position + 3] : op == BRANCH ? 3 : 2;
  }

  /**
   * What is executed when every call instruction is observed: moves are the calls they stand for,
   * and calls return to their frame.
   */
  public static int observed(int code) {
    return switch (code) {
      case MOVE, CLEAR -> CALL_PACKED;
      case TAIL_CALL_BYTECODE -> CALL_BYTECODE;
      case TAIL_CALL_CLOSURE -> CALL_CLOSURE;
      default -> code;
    };
  }
}
