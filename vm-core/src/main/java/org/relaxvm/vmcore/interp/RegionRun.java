package org.relaxvm.vmcore.interp;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.FirstFailure;
import org.relaxvm.vmcore.dataflow.LanePlan;
import org.relaxvm.vmcore.dataflow.ParallelChoice;
import org.relaxvm.vmcore.dataflow.Region;
import org.relaxvm.vmcore.dataflow.RegionPlan;
import org.relaxvm.vmcore.dataflow.TaskScheduler;

/**
 * One run of a region. When instructions fail, the first in program order counts: those before it
 * are executed, those after it are not begun any more.
 *
 * <p>Rationale: docs/rationale/vm-core.md, "Which error does parallel execution report?"
 */
final class RegionRun {
  private final Engine engine;
  private final DataflowThreads threads;
  private final Run run;
  private final RegionPlan plan;
  private final @Nullable Object[] refs;
  private final long[] bits;
  private final int base;
  private final boolean recordsKernels;

  // The first instruction that failed; the number of instructions as long as there is none.
  private final AtomicInteger failed;
  private @Nullable Throwable failure;

  private RegionRun(
      Engine engine,
      DataflowThreads threads,
      Run run,
      RegionPlan plan,
      int base,
      boolean recordsKernels) {
    this.engine = engine;
    this.threads = threads;
    this.run = run;
    this.plan = plan;
    this.refs = run.stack.refs;
    this.bits = run.stack.bits;
    this.base = base;
    this.recordsKernels = recordsKernels;
    this.failed = new AtomicInteger(plan.instructions().length);
  }

  /**
   * Executes a region on the newest frame.
   *
   * @return the position after it; where it failed, that of the instruction that did, and {@link
   *     Run#regionFailure} is why
   */
  static int execute(
      Engine engine,
      DataflowThreads threads,
      Run run,
      CallScope scope,
      Region region,
      int base,
      boolean recordsKernels) {
    ParallelChoice choice = region.choice();
    ParallelChoice.Mode mode = choice.next();
    RegionRun execution = new RegionRun(engine, threads, run, region.plan(), base, recordsKernels);
    long start = System.nanoTime();
    boolean isSerial =
        mode == ParallelChoice.Mode.SERIAL || mode == ParallelChoice.Mode.SERIAL_MEASURED;
    LanePlan lanes = region.plan().lanes();
    boolean isMeasured =
        mode == ParallelChoice.Mode.SERIAL_MEASURED
            || mode == ParallelChoice.Mode.PARALLEL_MEASURED;
    if (isMeasured && lanes != null) {
      scope.synchronizeAll();
      start = System.nanoTime();
    }
    if (isSerial) {
      execution.executeInOrder();
    } else if (lanes != null) {
      execution.executeInLanes(lanes, scope);
    } else {
      execution.executeInParallel();
    }
    if (isMeasured) {
      if (lanes != null) {
        scope.synchronizeAll();
      }
      choice.add(mode, System.nanoTime() - start);
    }
    return execution.end(scope);
  }

  private void executeInOrder() {
    RegionWorker worker = run.regionWorker();
    CallHook hook = hook();
    for (int i = 0; i < plan.instructions().length; i++) {
      execute(worker, i, hook);
    }
    worker.end();
  }

  /** Submits work in program order to several streams. */
  private void executeInLanes(LanePlan plan, CallScope scope) {
    Lanes lanes = scope.lanes(plan.count());
    RegionWorker worker = run.regionWorker();
    CallHook hook = hook();
    @Nullable List<Lanes.DeviceEvent>[] ends = newEvents(plan.lanes().length);
    try {
      for (int i = 0; i < plan.lanes().length && failed.get() > i; i++) {
        int lane = plan.lanes()[i];
        for (int before : plan.waits()[i]) {
          if (plan.submits()[i] && plan.lanes()[before] != lane) {
            lanes.await(lane, Objects.requireNonNull(ends[before]));
          }
          if (plan.releases()[i] >= 0 && plan.lanes()[before] != plan.releases()[i]) {
            lanes.await(plan.releases()[i], Objects.requireNonNull(ends[before]));
          }
        }
        scope.lane(plan.isKept()[i] ? 0 : lane);
        execute(worker, i, hook);
        if (plan.isKept()[i] && lane != 0) {
          lanes.order(lane, 0);
        }
        if (plan.isWaitedFor()[i]) {
          ends[i] = lanes.record(lane);
        }
      }
    } catch (RuntimeException | Error e) {
      // What waits for other streams failed; no instruction did.
      fail(plan.lanes().length - 1, e);
    } finally {
      scope.lane(0);
      endLanes(lanes, ends);
      worker.end();
    }
  }

  private void endLanes(Lanes lanes, @Nullable List<Lanes.DeviceEvent>[] ends) {
    try {
      lanes.join();
    } catch (RuntimeException | Error e) {
      fail(plan.instructions().length - 1, e);
    }
    if (failure != null) {
      // What is released now may be in use in any lane.
      try {
        lanes.synchronize();
      } catch (RuntimeException | Error e) {
        fail(plan.instructions().length - 1, e);
      }
    }
    for (List<Lanes.DeviceEvent> events : ends) {
      if (events != null) {
        events.forEach(event -> event.event().close());
      }
    }
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type
  private static @Nullable List<Lanes.DeviceEvent>[] newEvents(int count) {
    return new List[count];
  }

  private void executeInParallel() {
    TaskScheduler scheduler = new TaskScheduler(plan);
    Thread caller = Thread.currentThread();
    run.kernelWorkers = threads.kernelWorkers(engine.workers());
    try {
      threads
          .pool()
          .parallelFor(
              0,
              threads.pool().parallelism(),
              1,
              (from, to) -> {
                if (Thread.currentThread().equals(caller)) {
                  work(scheduler, run);
                } else {
                  help(scheduler);
                }
              });
    } finally {
      run.kernelWorkers = null;
    }
  }

  /** Works as another thread than the caller, with a context of its own. */
  private void help(TaskScheduler scheduler) {
    if (scheduler.isDone()) {
      return;
    }
    Run own = engine.beginHelper(run.kernelWorkers);
    try {
      work(scheduler, own);
    } finally {
      try {
        engine.endHelper(own);
      } catch (RuntimeException | Error e) {
        fail(plan.instructions().length - 1, e);
      }
    }
  }

  private void work(TaskScheduler scheduler, Run own) {
    RegionWorker worker = own.regionWorker();
    CallHook hook = hook();
    scheduler.work(
        task -> {
          for (int i : plan.tasks()[task]) {
            execute(worker, i, hook);
          }
        });
    worker.end();
  }

  private @Nullable CallHook hook() {
    return recordsKernels ? KernelRecorder.around(null) : null;
  }

  /** Executes an instruction unless one before it failed. */
  private void execute(RegionWorker worker, int i, @Nullable CallHook hook) {
    if (i < failed.get()) {
      try {
        worker.execute(engine.program(), plan.instructions()[i], refs, bits, base, hook);
      } catch (RuntimeException | Error e) {
        fail(i, e);
        worker.dropResult();
      }
    }
  }

  private synchronized void fail(int i, Throwable error) {
    Throwable known = failure;
    if (i < failed.get() || known == null) {
      failed.set(Math.min(i, failed.get()));
      failure = error;
    } else if (i == failed.get()) {
      FirstFailure.of(known, error);
    }
  }

  private int end(CallScope scope) {
    Throwable known = failure;
    if (known == null) {
      scope.instructionsLeft -= plan.instructions().length;
      return plan.end();
    }
    scope.instructionsLeft -= failed.get() + 1;
    run.regionFailure = known;
    return plan.instructions()[failed.get()];
  }
}
