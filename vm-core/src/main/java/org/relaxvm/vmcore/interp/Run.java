package org.relaxvm.vmcore.interp;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.Managed;
import org.relaxvm.api.ScalarTag;
import org.relaxvm.api.engine.RegisterArgs;
import org.relaxvm.api.error.FirstFailure;
import org.relaxvm.api.events.CallEvent;
import org.relaxvm.api.parallel.WorkerPool;
import org.relaxvm.vmcore.tier.ChunkState;

/** The state of one call of a bytecode function from Java; reused. Used by one thread at a time. */
final class Run {
  final RunStack stack;
  final RunContext context;
  final RegisterArgs args;
  final CallResult result = new CallResult();
  final CallScope ownScope;
  final ChunkState chunk;
  @Nullable CallScope scope;
  private @Nullable RegionWorker regionWorker;

  // The threads for kernels while others run at the same time; null for those of the VM.
  @Nullable WorkerPool kernelWorkers;

  // Why the region that was executed last failed.
  @Nullable Throwable regionFailure;

  // Of a call from outside that is recorded.
  @Nullable CallEvent event;

  // The result on its way from the frame that returned it, with its owner.
  @Nullable Object returnedRef;
  long returnedBits;

  Run(Engine engine) {
    this.stack = new RunStack(engine.limits());
    this.context = new RunContext(engine, this);
    this.args = new RegisterArgs(context);
    this.ownScope = new CallScope(engine.devices());
    this.chunk = new ChunkState(engine.program(), args, result);
  }

  /** What executes instructions of regions. */
  RegionWorker regionWorker() {
    RegionWorker worker = regionWorker;
    if (worker == null) {
      worker = new RegionWorker(this);
      regionWorker = worker;
    }
    return worker;
  }

  /** Raises the failure of the region that was executed last, if it failed. */
  void throwRegionFailure() {
    Throwable failure = regionFailure;
    if (failure != null) {
      regionFailure = null;
      FirstFailure.raise(failure);
    }
  }

  /** Hands the returned value and its owner over. */
  void giveReturned(CallResult target) {
    Object ref = returnedRef;
    returnedRef = null;
    if (ref == ScalarTag.INT) {
      target.setLong(returnedBits);
    } else if (ref == ScalarTag.BOOL) {
      target.setBoolean(returnedBits != 0);
    } else if (ref == ScalarTag.FLOAT) {
      target.setDouble(Double.longBitsToDouble(returnedBits));
    } else {
      target.set(ref);
    }
  }

  /** Releases everything that the run still holds. */
  void abandon() {
    Object ref = returnedRef;
    returnedRef = null;
    try {
      result.setNull();
    } finally {
      try {
        Managed.release(ref);
      } finally {
        stack.clearAll();
      }
    }
  }
}
