package org.relaxvm.api.parallel;

/**
 * Threads for parallel work on the host, shared by everything that runs in the process so that
 * nested and concurrent work does not start more threads than there are cores.
 *
 * <p>Thread-safe.
 */
public interface WorkerPool extends AutoCloseable {
  /** How many tasks run at once at most, the calling thread included; at least 1. */
  int parallelism();

  /**
   * Runs a task over a range, cut into pieces that run in parallel; the calling thread takes part.
   * Returns when all pieces are done. May be called from within a task: it then runs in the calling
   * thread alone where no worker is free.
   *
   * @param begin first index
   * @param end one past the last index; an empty range returns at once
   * @param grain smallest piece worth a thread of its own, at least 1
   * @throws RuntimeException the first failure of a piece; the other pieces are done or were not
   *     started
   */
  void parallelFor(long begin, long end, long grain, RangeTask task);

  /**
   * Runs a task in exactly {@code workers} threads at the same time, the calling thread among them,
   * so that they may wait for each other at barriers. Waits until that many are free; two gangs
   * never wait for each other's threads.
   *
   * @param workers 1 to {@link #parallelism()}
   * @throws org.relaxvm.api.error.CallException a {@code ValueError} for more workers than there
   *     are threads, or when called from within a gang
   */
  void runGang(int workers, GangTask task);

  /** Ends the threads once running work is done; the shared pool ignores it. */
  @Override
  void close();

  /** One piece of a range. */
  @FunctionalInterface
  interface RangeTask {
    /** Works on the indices from {@code from} to {@code to}, the latter excluded. */
    void run(long from, long to);
  }

  /** One member of a gang. */
  @FunctionalInterface
  interface GangTask {
    /** Works as member {@code index} of {@code workers}. */
    void run(int index, int workers);
  }
}
