package org.relaxvm.vmcore.interp;

import org.jspecify.annotations.Nullable;
import org.relaxvm.vmcore.decode.DecodedFunction;
import org.relaxvm.vmcore.tier.CodeTable;
import org.relaxvm.vmcore.tier.CompiledEntry;

/** Where the interpreter meets compiled code. */
final class Tiering {
  /** Iterations of loops that are counted at once. */
  static final int ITERATIONS = 64;

  private Tiering() {}

  /** Counts a call; the entries of compiled code, or null where there is none. */
  static @Nullable CompiledEntry @Nullable [] called(
      @Nullable CodeTable table, DecodedFunction function) {
    if (table == null) {
      return null;
    }
    table.called(function);
    return table.entries();
  }

  /** Counts iterations of the loop at a position. */
  static @Nullable CompiledEntry @Nullable [] looped(CodeTable table, int position) {
    table.looped(position, ITERATIONS);
    return table.entries();
  }

  /** Executes compiled code, and gives the position at which the interpreter goes on. */
  static int run(
      CompiledEntry entry,
      Run run,
      CallScope scope,
      @Nullable Object[] refs,
      long[] bits,
      int base) {
    int next = entry.run(run.chunk, refs, bits, base);
    scope.instructionsLeft -= run.chunk.takeExecuted();
    return next;
  }

  /**
   * The position of the instruction that failed: in compiled code, or where the interpreter is.
   *
   * @param entered the code that was entered last
   */
  static int failedAt(
      @Nullable CompiledEntry entered, Run run, CallScope scope, int[] code, int position) {
    int failed = run.chunk.takeFailedAt();
    if (failed < 0 || entered == null) {
      return position;
    }
    scope.instructionsLeft -= run.chunk.takeExecuted() + entered.instructionsUntil(code, failed);
    return failed;
  }
}
