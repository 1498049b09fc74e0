package org.relaxvm.vmcore.program;

/** Is told how far a program is loaded. Called by the thread that loads; must not throw. */
@FunctionalInterface
public interface LoadProgress {
  /** Ignores everything. */
  LoadProgress NONE = (work, done, total) -> {};

  /**
   * A step is done.
   *
   * @param work what is being done, such as {@code importing} or {@code compiling}
   * @param done steps of this work so far, at most {@code total}
   * @param total steps of this work
   */
  void report(String work, long done, long total);
}
