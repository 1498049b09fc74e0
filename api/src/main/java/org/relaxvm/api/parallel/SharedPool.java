package org.relaxvm.api.parallel;

/** Holds the pool of the process; a class of its own so that it is made when first asked for. */
final class SharedPool {
  static final WorkerPool INSTANCE =
      ThreadWorkerPool.start(Runtime.getRuntime().availableProcessors(), false);

  private SharedPool() {}
}
