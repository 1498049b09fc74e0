package org.relaxvm.backendcpu.jit.run;

import java.lang.foreign.MemorySegment;

/** A number that is computed from the words of a block. Thread-safe. */
@FunctionalInterface
interface Value {
  /** The number, in the form that {@link BlockLayout} describes. */
  long in(MemorySegment block);
}
