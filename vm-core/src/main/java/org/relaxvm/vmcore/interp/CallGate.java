package org.relaxvm.vmcore.interp;

import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/**
 * Counts the calls under way, so that closing waits for them, and bounds how deep one thread may
 * call into the VM from functions that the VM called. Thread-safe.
 *
 * <p>Rationale: docs/rationale/vm-core.md, "Why does `close()` of a VM wait for running calls?"
 */
public final class CallGate {
  private final int maxNesting;
  private final ThreadLocal<int[]> nesting = ThreadLocal.withInitial(() -> new int[1]);
  private long active;
  private boolean closed;

  CallGate(int maxNesting) {
    this.maxNesting = maxNesting;
  }

  /** Begins a call from outside of the VM. */
  void enter(String callee) {
    nest(callee);
    synchronized (this) {
      if (!closed) {
        active++;
        return;
      }
    }
    unnest();
    throw new CallException(
        ErrorKind.VALUE, "cannot call " + callee + ": the virtual machine is closed");
  }

  /** Ends what {@link #enter} began. Neither needs memory nor more stack than that. */
  void exit() {
    unnest();
    synchronized (this) {
      active--;
      if (active == 0 && closed) {
        notifyAll();
      }
    }
  }

  /** Begins a call that a function makes through its context. */
  void nest(String callee) {
    int[] depth = nesting.get();
    if (depth[0] >= maxNesting) {
      throw new CallException(
          ErrorKind.RUNTIME,
          "calls from Java back into the virtual machine are nested "
              + maxNesting
              + " deep; the call of "
              + callee
              + " was refused\n"
              + "  each such call takes room on the Java stack: let the program call the function,"
              + " or raise the limit with limits(Limits.defaults().withMaxNesting(n)) and the"
              + " thread's stack with -Xss");
    }
    depth[0]++;
  }

  /** Ends what {@link #nest} began. */
  void unnest() {
    nesting.get()[0]--;
  }

  /**
   * Refuses new calls and waits for those under way.
   *
   * @return whether this was the first time
   * @throws CallException when the calling thread is itself inside a call
   */
  public boolean close() {
    if (nesting.get()[0] > 0) {
      throw new CallException(
          ErrorKind.VALUE,
          "a virtual machine cannot be closed from within one of its calls: it would wait for"
              + " itself");
    }
    boolean interrupted = false;
    boolean first;
    synchronized (this) {
      first = !closed;
      closed = true;
      while (active > 0) {
        try {
          wait();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return first;
  }
}
