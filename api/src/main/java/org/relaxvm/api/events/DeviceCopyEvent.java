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
 * A device that works asynchronously copied bytes, as its own clock has it. Off unless it is asked
 * for. Times are as in {@link DeviceKernelEvent}.
 */
@Name("relaxvm.DeviceCopy")
@Label("DeviceCopy")
@Category("RelaxVM")
@Description("A device copied bytes, by the clock of the device")
@Enabled(false)
@StackTrace(false)
public final class DeviceCopyEvent extends Event {
  @Label("Device")
  @Description("Which did the work")
  String device = "";

  @Label("Kind")
  @Description("host to device, device to host, within device or between devices")
  String kind = "";

  @Label("Start")
  @Description("When it started, as System.nanoTime() of the host (nanoseconds)")
  long start;

  @Label("Time")
  @Description("How long it took")
  @Timespan(Timespan.NANOSECONDS)
  long time;

  @Label("Size")
  @Description("What was copied")
  @DataAmount
  long bytes;

  @Label("Emitted")
  @Description("When the event was emitted, as System.nanoTime() of the host (nanoseconds)")
  long emitted;

  private DeviceCopyEvent() {}

  /** Whether the event is recorded now; ask {@link Events#areOn()} first. */
  public static boolean isOn() {
    return new DeviceCopyEvent().isEnabled();
  }

  /**
   * Emits the event, when it is enabled.
   *
   * @param device named by its text
   * @param kind by where the two ends are, in the words of {@link CopyEvent}
   * @param startNanos as {@link System#nanoTime()} of the host
   * @param nanos how long it took
   * @param bytes copied
   */
  public static void emit(Object device, String kind, long startNanos, long nanos, long bytes) {
    DeviceCopyEvent event = new DeviceCopyEvent();
    if (event.isEnabled()) {
      event.device = device.toString();
      event.kind = kind;
      event.start = startNanos;
      event.time = nanos;
      event.bytes = bytes;
      event.emitted = System.nanoTime();
      event.commit();
    }
  }
}
