package org.relaxvm.vmcore.interp;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Managed;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.FirstFailure;
import org.relaxvm.vmcore.decode.DecodedFunction;

/**
 * The registers of all frames of a run, one after the other in two arrays, and per frame where to
 * go back to. A register owns the value in it. Slots above the top hold null.
 *
 * <p>Rationale: docs/rationale/vm-core.md, "Why does the register stack grow by doubling?"
 */
final class RunStack {
  private static final int FIRST_SLOTS = 256;
  private static final int FIRST_FRAMES = 32;
  private static final int KEPT_SLOTS = 1 << 16;
  private static final int BYTES_PER_SLOT = 16;

  private final CallLimits limits;
  @Nullable Object[] refs = new Object[FIRST_SLOTS];
  long[] bits = new long[FIRST_SLOTS];

  // Words of a frame: the calling instruction, the base of the calling frame, how many frames
  // before
  // it tail calls dropped, and how many instructions those would execute on the way back.
  private static final int FRAME_WORDS = 4;
  private int[] frames = new int[FRAME_WORDS * FIRST_FRAMES];
  private int depth;
  private int top;

  RunStack(CallLimits limits) {
    this.limits = limits;
  }

  /** The number of frames. */
  int depth() {
    return depth;
  }

  /** Where the instruction stands that called the newest frame. */
  int callPosition() {
    return frames[FRAME_WORDS * (depth - 1)];
  }

  /** Where the instruction stands that called the frame at a depth, counted from 1. */
  int callPositionOf(int frameDepth) {
    return frames[FRAME_WORDS * (frameDepth - 1)];
  }

  /** The base of the frame that called the newest frame. */
  int callerBase() {
    return frames[FRAME_WORDS * (depth - 1) + 1];
  }

  /** The base of the newest frame once {@code registers} are pushed: the first free slot. */
  int top() {
    return top;
  }

  /** Pushes a frame with null in all its registers; may replace the arrays. */
  void push(DecodedFunction function, int callPosition, int callerBase) {
    if (depth >= limits.maxDepth()) {
      throw Guards.tooDeep(function.name(), depth + 1L, limits);
    }
    long needed = (long) top + function.registers();
    if (needed > refs.length) {
      growSlots(function, needed);
    }
    if (FRAME_WORDS * depth == frames.length) {
      frames = Arrays.copyOf(frames, 2 * frames.length);
    }
    frames[FRAME_WORDS * depth] = callPosition;
    frames[FRAME_WORDS * depth + 1] = callerBase;
    frames[FRAME_WORDS * depth + 2] = 0;
    frames[FRAME_WORDS * depth + 3] = 0;
    depth++;
    top = (int) needed;
  }

  /** Makes room for the arguments of a tail call above the newest frame, and for its frame. */
  void pushArguments(DecodedFunction callee, int base, int count) {
    long needed = Math.max((long) top + count, (long) base + callee.registers());
    if (needed > refs.length) {
      growSlots(callee, needed);
    }
    top += count;
  }

  /**
   * Replaces the newest frame, whose registers are clear, by that of a function that it called.
   *
   * @param first the slot of the first argument, above the frame
   * @param skipped instructions from the call to the return of its result
   */
  void replace(DecodedFunction callee, int base, int first, int skipped) {
    int count = top - first;
    System.arraycopy(refs, first, refs, base, count);
    System.arraycopy(bits, first, bits, base, count);
    Arrays.fill(refs, Math.max(first, base + count), top, null);
    top = base + callee.registers();
    int dropped = FRAME_WORDS * (depth - 1) + 2;
    frames[dropped] = sum(frames[dropped], 1);
    frames[dropped + 1] = sum(frames[dropped + 1], skipped);
  }

  private static int sum(int a, int b) {
    return (int) Math.min(Integer.MAX_VALUE, (long) a + b);
  }

  /** Instructions that the frames dropped before the newest one would execute on the way back. */
  int skipped() {
    return frames[FRAME_WORDS * (depth - 1) + 3];
  }

  /** How many frames before the one at a depth, counted from 1, were dropped by tail calls. */
  int droppedBefore(int frameDepth) {
    return frames[FRAME_WORDS * (frameDepth - 1) + 2];
  }

  /** Writes a register of the newest frame, which holds null, and retains the value. */
  void init(int slot, @Nullable Object ref, long scalar) {
    Managed.retain(ref);
    refs[slot] = ref;
    bits[slot] = scalar;
  }

  /** Releases the registers of the newest frame but one, which keeps its value. */
  void clear(int base, int keptSlot) {
    clear(base, top, keptSlot);
  }

  /** Releases the registers in some slots. */
  void clear(int base, int end, int keptSlot) {
    @Nullable Object[] slots = refs;
    for (int slot = base; slot < end; slot++) {
      Object value = slots[slot];
      if (value != null && slot != keptSlot) {
        slots[slot] = null;
        if (value instanceof Managed managed) {
          managed.release();
        }
      }
    }
  }

  /** Drops the newest frame, whose registers are clear. */
  void pop(int base) {
    top = base;
    depth--;
  }

  /** Releases everything, each value even if others fail; for a run that failed. */
  void clearAll() {
    Throwable failure = null;
    for (int slot = 0; slot < top; slot++) {
      Object value = refs[slot];
      refs[slot] = null;
      try {
        Managed.release(value);
      } catch (RuntimeException | Error e) {
        failure = FirstFailure.of(failure, e);
      }
    }
    depth = 0;
    top = 0;
    FirstFailure.raise(failure);
  }

  /** Whether another run may use the stack: everything is released, and it did not grow large. */
  boolean isReusable() {
    return depth == 0 && top == 0 && refs.length <= KEPT_SLOTS && frames.length <= KEPT_SLOTS;
  }

  private void growSlots(DecodedFunction function, long needed) {
    long most = Math.min(limits.maxStackBytes() / BYTES_PER_SLOT, Integer.MAX_VALUE - 8);
    if (needed > most) {
      throw tooLarge(function);
    }
    int size = (int) Math.min(most, Math.max(needed, 2L * refs.length));
    // Both or none: there may be memory for one of them only.
    @Nullable Object[] newRefs = Arrays.copyOf(refs, size);
    bits = Arrays.copyOf(bits, size);
    refs = newRefs;
  }

  private CallException tooLarge(DecodedFunction function) {
    return new CallException(
        ErrorKind.RUNTIME,
        "the call of function "
            + function.name()
            + " needs "
            + function.registers()
            + " registers more, but the registers of the "
            + depth
            + " frames below fill the limit of "
            + limits.maxStackBytes()
            + " bytes\n  if the recursion is meant to be this deep, raise the limit with"
            + " limits(Limits.defaults().withMaxStackBytes(n)) on the virtual machine's builder and"
            + " the heap with -Xmx");
  }
}
