package org.relaxvm.backendcpu.jit.allocate;

/** A set of machine registers that hold the same kinds of values. */
public enum RegisterClass {
  /** 64-bit integers. */
  WORD,
  /** Floats and lanes; masks, too, where there are no mask registers. */
  VECTOR,
  /** One bit for each lane. */
  MASK
}
