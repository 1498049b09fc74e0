package org.relaxvm.interoptvm.call;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.VmContext;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.api.parallel.WorkerPool;
import org.relaxvm.interoptvm.abi.Downcall;
import org.relaxvm.interoptvm.abi.RawMemory;

/**
 * Parallel tasks of compiled code (docs/spec/native-library.md, section 3.1). All tasks of a launch
 * run at the same time in threads of the worker pool, since any of them may wait for the others at
 * a barrier. A task that fails lets those go that wait for it.
 */
final class Launch {
  private static final MethodHandle TASK =
      Downcall.of(FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG));

  /** {@code {void* sync_handle; int32_t num_task}}. */
  private static final int ENVIRONMENT_BYTES = 16;

  private static final int TASKS = 8;
  private static final int SPINS = 1000;

  private final MemorySegment task;
  private final long data;
  private final long environment;
  private final int tasks;
  private final @Nullable Throwable[] failures;
  private final AtomicInteger arrived = new AtomicInteger();
  private final AtomicInteger phase = new AtomicInteger();
  private volatile boolean broken;

  private Launch(long task, long data, long environment, int tasks) {
    this.task = MemorySegment.ofAddress(task);
    this.data = data;
    this.environment = environment;
    this.tasks = tasks;
    failures = new Throwable[tasks];
  }

  /**
   * Runs a launch of the current thread and waits for its end.
   *
   * @param requested how many tasks; 0 for as many as there are workers
   * @throws RelaxException with what each task that failed says
   */
  static void run(NativeThread thread, long task, long data, int requested) {
    if (thread.launch != null) {
      throw new CallException(
              ErrorKind.RUNTIME,
              "compiled code launches parallel tasks within a parallel task, which is not"
                  + " supported\n  what to do: parallelize one loop of the kernel only")
          .withTvmMessage("Cannot launch parallel job inside worker, consider fuse then parallel");
    }
    VmContext context = thread.context;
    WorkerPool pool = context != null ? context.workers() : WorkerPool.shared();
    int workers = pool.parallelism();
    int chunk = thread.memory.chunk();
    long top = thread.memory.top();
    long environment = thread.memory.allocate(ENVIRONMENT_BYTES);
    RawMemory.putLong(environment, 0);
    try {
      if (workers > 1 && requested > workers) {
        throw new CallException(
                ErrorKind.RUNTIME,
                "compiled code needs "
                    + requested
                    + " threads at the same time, but the worker pool has "
                    + workers
                    + "\n  what to do: pass WorkerPool.ofThreads("
                    + requested
                    + ") to workers(...) of the VM's builder")
            .withTvmMessage(
                "Request parallel sync task larger than number of threads used  workers="
                    + workers
                    + " request="
                    + requested);
      }
      // Compiled code divides its work by the number of tasks that it is told, so one is enough.
      boolean alone = workers == 1 || pool.isInParallelWork();
      int tasks = alone ? 1 : requested == 0 ? workers : requested;
      new Launch(task, data, environment, tasks).runIn(pool, thread);
    } finally {
      thread.memory.release(chunk, top);
    }
  }

  private void runIn(WorkerPool pool, NativeThread launcher) {
    RawMemory.putInt(environment + TASKS, tasks);
    if (tasks == 1) {
      runTask(launcher, 0);
    } else {
      pool.runGang(tasks, (index, _) -> runMember(launcher, index));
    }
    raiseFailures();
  }

  /** A thread that cannot even begin, for want of memory, must not leave the others waiting. */
  private void runMember(NativeThread launcher, int index) {
    try {
      runFor(launcher, index);
    } catch (Throwable e) {
      fail(index, e);
    }
  }

  private void runFor(NativeThread launcher, int index) {
    NativeThread thread = NativeThread.current();
    if (thread == launcher) {
      runTask(thread, index);
      return;
    }
    Binding outerBinding = thread.binding;
    VmContext outerContext = thread.context;
    NativeThread outerLauncher = thread.launcher;
    int chunk = thread.memory.chunk();
    long top = thread.memory.top();
    thread.objects.enter();
    thread.binding = launcher.binding;
    thread.context = launcher.context;
    thread.launcher = launcher;
    try {
      runTask(thread, index);
    } finally {
      thread.binding = outerBinding;
      thread.context = outerContext;
      thread.launcher = outerLauncher;
      thread.memory.release(chunk, top);
      thread.objects.leave();
    }
  }

  private void runTask(NativeThread thread, int index) {
    int workspaces = thread.workspace.inUse();
    Launch outer = thread.launch;
    thread.launch = this;
    try {
      Binding binding = thread.binding;
      if (binding != null) {
        binding.stackRoom().require(thread);
      }
      thread.error.clear();
      int code = (int) TASK.invokeExact(task, index, environment, data);
      if (code != 0) {
        thread.workspace.freeDownTo(workspaces);
        fail(index, thread.error.raise());
      }
    } catch (Throwable e) {
      fail(index, e);
    } finally {
      thread.launch = outer;
    }
  }

  private void fail(int index, Throwable failure) {
    failures[index] = failure;
    broken = true;
  }

  private void raiseFailures() {
    List<String> texts = new ArrayList<>();
    List<String> tvmTexts = new ArrayList<>();
    Set<String> remedies = new LinkedHashSet<>();
    Throwable first = null;
    for (int i = 0; i < tasks; i++) {
      Throwable failure = failures[i];
      if (failure != null && !(failure instanceof BrokenBarrier)) {
        first = first == null ? failure : first;
        String task = "Task " + i + " error: ";
        if (failure instanceof RelaxException known) {
          texts.add(task + known.problem());
          tvmTexts.add(task + known.tvmMessage().orElse(known.summary()));
          known.remedy().ifPresent(remedies::add);
        } else {
          texts.add(task + failure);
          tvmTexts.add(task + failure);
        }
      }
    }
    if (first instanceof VirtualMachineError fatal) {
      throw fatal;
    }
    if (first != null) {
      String remedy = remedies.isEmpty() ? "" : "\n  what to do: " + String.join("; ", remedies);
      throw new CallException(ErrorKind.RUNTIME, String.join("\n", texts) + remedy, first)
          .withTvmMessage(String.join("\n", tvmTexts));
    }
  }

  /**
   * Waits for all tasks of the launch.
   *
   * @throws CallException when a task has failed and will never come
   */
  void awaitAll() {
    int mine = phase.get();
    if (arrived.incrementAndGet() == tasks) {
      arrived.set(0);
      phase.incrementAndGet();
      return;
    }
    for (int spin = 0; phase.get() == mine; spin++) {
      if (broken) {
        throw new BrokenBarrier();
      }
      if (spin < SPINS) {
        Thread.onSpinWait();
      } else {
        Thread.yield();
      }
    }
  }

  /** A task ends because another one failed: that one is told, and this one is not. */
  private static final class BrokenBarrier extends CallException {
    private static final long serialVersionUID = 1L;

    BrokenBarrier() {
      super(ErrorKind.RUNTIME, "another task of the launch has failed");
    }
  }
}
