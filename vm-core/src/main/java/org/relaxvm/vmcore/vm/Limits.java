package org.relaxvm.vmcore.vm;

import org.relaxvm.vmcore.interp.CallLimits;

/**
 * Bounds on the memory of a virtual machine and on each of its calls. Immutable.
 *
 * <pre>{@code
 * VirtualMachine.builder(program)
 *     .limits(Limits.defaults().withMemoryBudget(512L << 20).withMaxInstructions(1_000_000))
 * }</pre>
 *
 * @param memoryBudget bytes that may be held from each device; {@link Long#MAX_VALUE} for no bound.
 *     Constants that a device shares between virtual machines, as remote devices do, do not count
 * @param maxDepth stack frames that one call may have at once
 * @param maxStackBytes bytes for the registers of one call
 * @param maxNesting calls from Java into the virtual machine that may be active in one thread,
 *     where functions that the program calls call back; each uses Java stack
 * @param maxInstructions bytecode instructions that one call may execute; 0 for no bound
 */
public record Limits(
    long memoryBudget, int maxDepth, long maxStackBytes, int maxNesting, long maxInstructions) {
  /** Checks that each limit is positive; {@code maxInstructions} may be 0. */
  public Limits {
    requirePositive("memoryBudget", memoryBudget);
    requirePositive("maxDepth", maxDepth);
    requirePositive("maxStackBytes", maxStackBytes);
    requirePositive("maxNesting", maxNesting);
    if (maxInstructions != 0) {
      requirePositive("maxInstructions", maxInstructions);
    }
  }

  /**
   * The limits of a virtual machine for which none are chosen: no memory budget, 2,000,000 frames,
   * a quarter of the Java heap for registers, 200 nested calls, and any number of instructions.
   */
  public static Limits defaults() {
    return new Limits(Long.MAX_VALUE, 2_000_000, Runtime.getRuntime().maxMemory() / 4, 200, 0);
  }

  /** The same limits with another {@code memoryBudget}, in bytes. */
  public Limits withMemoryBudget(long bytes) {
    return new Limits(bytes, maxDepth, maxStackBytes, maxNesting, maxInstructions);
  }

  /** The same limits with another {@code maxDepth}. */
  public Limits withMaxDepth(int frames) {
    return new Limits(memoryBudget, frames, maxStackBytes, maxNesting, maxInstructions);
  }

  /** The same limits with another {@code maxStackBytes}. */
  public Limits withMaxStackBytes(long bytes) {
    return new Limits(memoryBudget, maxDepth, bytes, maxNesting, maxInstructions);
  }

  /** The same limits with another {@code maxNesting}. */
  public Limits withMaxNesting(int calls) {
    return new Limits(memoryBudget, maxDepth, maxStackBytes, calls, maxInstructions);
  }

  /** The same limits with another {@code maxInstructions}. */
  public Limits withMaxInstructions(long instructions) {
    return new Limits(memoryBudget, maxDepth, maxStackBytes, maxNesting, instructions);
  }

  CallLimits ofCalls() {
    return new CallLimits(maxDepth, maxStackBytes, maxNesting, maxInstructions);
  }

  private static void requirePositive(String name, long value) {
    if (value <= 0) {
      throw new IllegalArgumentException(name + " must be positive, but is " + value);
    }
  }
}
