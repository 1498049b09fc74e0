package org.relaxvm.backendopencl;

import org.jocl.CL;
import org.jocl.cl_command_queue;
import org.jocl.cl_event;
import org.relaxvm.backendopencl.context.DeviceContext;
import org.relaxvm.backendopencl.driver.OpenCl;
import org.relaxvm.backendopencl.driver.OpenClStatusException;
import org.relaxvm.backendsupport.gpu.device.Command;
import org.relaxvm.backendsupport.profile.DeviceClock;
import org.relaxvm.backendsupport.profile.DeviceTimeline;
import org.relaxvm.backendsupport.profile.TimedWork;

/** Tells the times of what a queue does, which was opened for it. */
final class QueueTimes {
  private final DeviceContext context;
  private final OpenCl cl;
  private final DeviceClock clock;
  private final DeviceTimeline timeline;

  QueueTimes(DeviceContext context, DeviceClock clock, DeviceTimeline timeline) {
    this.context = context;
    this.cl = context.cl();
    this.clock = clock;
    this.timeline = timeline;
  }

  /** Work was enqueued with an event, which belongs to the timeline now. */
  void submitted(Command command, long submittedNanos, cl_event event) {
    command.addTo(timeline, submittedNanos, new Work(event));
  }

  /** A queue has nothing to do: its clock is looked at, and what is done is told. */
  void idle(cl_command_queue queue) {
    cl_event mark = new cl_event();
    long before = System.nanoTime();
    cl.mark(queue, mark);
    try {
      cl.finish(queue);
      long after = System.nanoTime();
      clock.sample(before, cl.profilingNanos(mark, CL.CL_PROFILING_COMMAND_END), after);
    } finally {
      cl.release(mark);
    }
    timeline.poll();
  }

  private final class Work implements TimedWork {
    private final cl_event event;

    Work(cl_event event) {
      this.event = event;
    }

    @Override
    public boolean isComplete() {
      try {
        return cl.status(event) <= CL.CL_COMPLETE;
      } catch (OpenClStatusException e) {
        throw context.failure(e, "tell whether work is done");
      }
    }

    @Override
    public long startTicks() {
      return ticks(CL.CL_PROFILING_COMMAND_START);
    }

    @Override
    public long endTicks() {
      return ticks(CL.CL_PROFILING_COMMAND_END);
    }

    private long ticks(int name) {
      try {
        return cl.profilingNanos(event, name);
      } catch (OpenClStatusException e) {
        throw context.failure(e, "tell the times of work");
      }
    }

    @Override
    public void close() {
      cl.release(event);
    }
  }
}
