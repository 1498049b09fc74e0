package org.relaxvm.vmcore.verify;

/**
 * How a program is verified. Immutable.
 *
 * @param maxRegisters the largest register file that a function may ask for
 * @param strict whether a register that may be read before it is written is an error; else it is a
 *     warning, and such a read gives null
 */
public record VerifyOptions(long maxRegisters, boolean strict) {
  /** At most 2^24 registers per function; not strict. */
  public static final VerifyOptions DEFAULT = new VerifyOptions(1L << 24, false);

  /** The same with unassigned reads as errors or not. */
  public VerifyOptions withStrict(boolean newStrict) {
    return new VerifyOptions(maxRegisters, newStrict);
  }
}
