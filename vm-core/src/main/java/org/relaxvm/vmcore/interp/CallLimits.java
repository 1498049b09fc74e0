package org.relaxvm.vmcore.interp;

/**
 * Bounds on a call, so that a program cannot use up the process.
 *
 * @param maxDepth frames that one call may have at once
 * @param maxStackBytes memory for the registers of one call
 * @param maxNesting calls from Java into the VM that may be under way in one thread
 * @param maxInstructions instructions that one call may execute; 0 means any number
 */
public record CallLimits(int maxDepth, long maxStackBytes, int maxNesting, long maxInstructions) {}
