package org.relaxvm.vmcore.interp;

import org.relaxvm.api.parallel.WorkerPool;

/** The threads of a VM that runs independent calls at the same time. Thread-safe. */
final class DataflowThreads implements AutoCloseable {
  private final WorkerPool pool;
  private final WorkerPool one = WorkerPool.ofThreads(1);

  DataflowThreads(int workers) {
    this.pool = WorkerPool.ofThreads(workers);
  }

  /** The threads that execute tasks, the caller included. */
  WorkerPool pool() {
    return pool;
  }

  /**
   * The threads that a kernel may use while others run: the kernels share those of the VM.
   *
   * @param all the threads of the VM for kernels
   */
  WorkerPool kernelWorkers(WorkerPool all) {
    return all.parallelism() / pool.parallelism() < 2 ? one : all;
  }

  @Override
  public void close() {
    pool.close();
    one.close();
  }
}
