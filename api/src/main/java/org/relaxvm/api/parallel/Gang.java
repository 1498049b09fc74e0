package org.relaxvm.api.parallel;

/** A gang that gathers, then runs. Gathering happens under the pool's lock. */
final class Gang {
  private final int size;
  private final Completion.Work work;
  private final Completion completion = new Completion();
  private int members = 1; // the caller
  // Set under the pool's lock before any member works, if at all.
  private volatile boolean calledOff;

  Gang(int size, WorkerPool.GangTask task) {
    this.size = size;
    this.work = (index, workers) -> task.run((int) index, (int) workers);
  }

  /** Adds a worker; under the pool's lock. */
  int join() {
    return members++;
  }

  /** Whether all members are there; under the pool's lock. */
  boolean isComplete() {
    return members == size;
  }

  /** Ends the gathering: nobody works, and all that wait are told why. Under the pool's lock. */
  void callOff(Throwable reason) {
    calledOff = true;
    completion.fail(reason);
  }

  /** Works as one member; outside of the lock. What fails is kept for {@link #finish}. */
  void work(int index) {
    if (calledOff) {
      completion.count();
    } else {
      completion.run(work, index, size);
    }
  }

  /** Waits for all members and raises the first failure. */
  void finish() {
    completion.await(calledOff ? members : size);
  }
}
