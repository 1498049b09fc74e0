package org.relaxvm.api.parallel;

/**
 * Threads for parallel work on the host, shared by everything that runs in the process so that
 * nested and concurrent work does not start more threads than there are cores. With the system
 * property {@code relaxvm.cpu.pin=true}, each worker of a pool made since is pinned to a processor
 * on Linux; callers are not.
 *
 * <p>Thread-safe.
 */
public interface WorkerPool extends AutoCloseable {
  /**
   * The pool of the process, made at the first call: as many threads at once as the JVM has
   * processors, callers included. Its threads are daemons; closing it does nothing.
   */
  static WorkerPool shared() {
    return SharedPool.INSTANCE;
  }

  /**
   * A pool of its own, to be closed.
   *
   * @param parallelism how many tasks run at once at most, the calling thread included: {@code
   *     parallelism - 1} daemon threads are started
   * @throws org.relaxvm.api.error.CallException a {@code ValueError} when it is less than 1
   */
  static WorkerPool ofThreads(int parallelism) {
    return ThreadWorkerPool.start(parallelism, true);
  }

  /** How many tasks run at once at most, the calling thread included; at least 1. */
  int parallelism();

  /** Whether the calling thread is at parallel work of this pool: then it can start no gang. */
  boolean isInParallelWork();

  /**
   * Runs a task over a range, cut into pieces that run in parallel; the calling thread takes part.
   * Returns when all pieces are done. May be called from within a task: free workers help, and
   * where there are none the calling thread does it alone. Pieces must not wait for each other.
   *
   * @param begin first index
   * @param end one past the last index; an empty range returns at once
   * @param grain smallest piece worth a thread of its own, at least 1; a range of no more than this
   *     runs in the calling thread as one piece
   * @throws RuntimeException the first failure of a piece, an {@link Error} likewise, with further
   *     failures suppressed in it; the other pieces are done or were not started
   */
  void parallelFor(long begin, long end, long grain, RangeTask task);

  /**
   * Runs a task in exactly {@code workers} threads at the same time, the calling thread among them
   * as member 0, so that they may wait for each other at barriers. Waits until that many are free;
   * gangs are served in the order of their calls, and two gangs never wait for each other's
   * threads. A member that fails must not leave others waiting at a barrier.
   *
   * <p>An interrupt of the waiting thread does not end the wait; its flag stays set.
   *
   * @param workers 1 to {@link #parallelism()}; 1 calls the task directly
   * @throws org.relaxvm.api.error.CallException a {@code ValueError} for more workers than there
   *     are threads, or for more than one worker when called from within parallel work of this pool
   * @throws RuntimeException the first failure of a member, as for {@link #parallelFor}
   */
  void runGang(int workers, GangTask task);

  /**
   * Ends the threads once running work is done, without waiting for it; further work is refused.
   * The shared pool ignores it.
   */
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
