package org.relaxvm.interoprelay.flow;

/** Where control goes after each instruction of a function. Instructions are numbered from 0. */
public interface InstructionFlow {
  /** The number of instructions. */
  int count();

  /**
   * The instructions that an instruction jumps to, in order of preference: the one to lay out next
   * comes first. Empty for one that does not jump.
   */
  int[] targets(int instruction);

  /** Whether control can go on at the next instruction; that successor precedes the targets. */
  boolean fallsThrough(int instruction);
}
