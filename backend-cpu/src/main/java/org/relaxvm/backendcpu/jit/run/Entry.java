package org.relaxvm.backendcpu.jit.run;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.relaxvm.backendcpu.invocation.Failures;

/**
 * Loaded code of a fragment.
 *
 * @param code its first instruction
 * @param scratchBytes how much scratch memory each running call needs
 * @param failures what a status means: the one at {@code status - 1}
 */
record Entry(MemorySegment code, long scratchBytes, List<Failure> failures) {
  /**
   * Runs the code.
   *
   * @throws RuntimeException the failure that it reports
   */
  void run(Frame frame, long from, long to) {
    long scratch = scratchBytes == 0 ? 0 : frame.scratch(scratchBytes);
    long status = CodeCalls.call(code, frame.block().address(), from, to, scratch);
    if (status != 0) {
      throw failure(status, frame.block());
    }
  }

  private RuntimeException failure(long status, MemorySegment block) {
    return switch (failures.get(Math.toIntExact(status - 1))) {
      case Failure.OutOfBounds(String what) ->
          Failures.outside(
              block.get(ValueLayout.JAVA_LONG, 0),
              block.get(ValueLayout.JAVA_LONG, Long.BYTES),
              what);
      case Failure.DivisionByZero() -> Failures.of(new ArithmeticException("/ by zero"));
    };
  }
}
