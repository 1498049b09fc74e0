package org.relaxvm.vmcore.tier;

import org.jspecify.annotations.Nullable;

/** Superclass of the hidden classes that {@link FunctionCompiler} defines. Thread-safe. */
public abstract class CompiledCode {
  /** For generated classes. */
  protected CompiledCode() {}

  /**
   * Executes instructions from an entry on, up to one that the interpreter executes or that belongs
   * to another chunk. Registers are in the frame before and after, also when it fails.
   *
   * @param state of the run; receives the number of executed instructions, and the position of the
   *     instruction that failed
   * @param refs reference halves of the registers of all frames
   * @param bits scalar halves
   * @param base index of the frame's register 0
   * @param entry number of the entry
   * @return the position of the next instruction
   */
  public abstract int run(
      ChunkState state, @Nullable Object[] refs, long[] bits, int base, int entry);
}
