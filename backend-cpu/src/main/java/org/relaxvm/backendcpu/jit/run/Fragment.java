package org.relaxvm.backendcpu.jit.run;

import java.util.List;
import org.relaxvm.backendcpu.jit.lir.LirFunction;

/**
 * Code of a part of a kernel.
 *
 * @param function of the block of a call, a range of iterations, and scratch memory
 * @param scratchBytes how much scratch memory each running call needs; it begins at a multiple of
 *     64 bytes, and its content is undefined
 * @param failures what a status means: the one at {@code status - 1}
 */
public record Fragment(LirFunction function, long scratchBytes, List<Failure> failures) {
  /** Copies the list. */
  public Fragment {
    failures = List.copyOf(failures);
    if (scratchBytes < 0) {
      throw new IllegalArgumentException("expected at least 0 bytes, but got " + scratchBytes);
    }
  }
}
