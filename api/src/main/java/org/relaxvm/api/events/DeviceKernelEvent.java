package org.relaxvm.api.events;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/**
 * A kernel ran on a device that works asynchronously, as the device's own clock has it. Emitted
 * when the times are known, which is later. Off unless it is asked for: then backends ask their
 * devices for times.
 *
 * <p>The start is a value of {@link System#nanoTime()}. The time of the event less its {@code
 * emitted} is the same for all events, but for what passes between the two; the smallest such
 * difference orders the starts among the other events.
 *
 * <p>Rationale: docs/rationale/vm-core.md, "Why do device events carry `System.nanoTime()` twice?"
 */
@Name("relaxvm.DeviceKernel")
@Label("DeviceKernel")
@Category("RelaxVM")
@Description("A kernel ran on a device, by the clock of the device")
@Enabled(false)
@StackTrace(false)
public final class DeviceKernelEvent extends Event {
  @Label("Function")
  @Description("Name in the program's function table, or in the kernel library")
  String function = "";

  @Label("Device")
  @Description("Where it ran")
  String device = "";

  @Label("Start")
  @Description("When it started, as System.nanoTime() of the host (nanoseconds)")
  long start;

  @Label("Time")
  @Description("How long it ran")
  @Timespan(Timespan.NANOSECONDS)
  long time;

  @Label("Size")
  @Description("What it read and wrote, as far as the backend knows; -1 when it does not")
  @DataAmount
  long bytes;

  @Label("Operations")
  @Description("Operations on floats, as far as the backend knows; -1 when it does not")
  long operations;

  @Label("Emitted")
  @Description("When the event was emitted, as System.nanoTime() of the host (nanoseconds)")
  long emitted;

  private DeviceKernelEvent() {}

  /** Whether the event is recorded now; ask {@link Events#areOn()} first. */
  public static boolean isOn() {
    return new DeviceKernelEvent().isEnabled();
  }

  /**
   * Emits the event, when it is enabled.
   *
   * @param function name in the program's function table, or in the kernel library
   * @param device named by its text
   * @param startNanos as {@link System#nanoTime()} of the host
   * @param nanos how long it ran
   * @param bytes read and written; -1 when not known
   * @param operations on floats; -1 when not known
   */
  public static void emit(
      String function, Object device, long startNanos, long nanos, long bytes, long operations) {
    DeviceKernelEvent event = new DeviceKernelEvent();
    if (event.isEnabled()) {
      event.function = function;
      event.device = device.toString();
      event.start = startNanos;
      event.time = nanos;
      event.bytes = bytes;
      event.operations = operations;
      event.emitted = System.nanoTime();
      event.commit();
    }
  }
}
