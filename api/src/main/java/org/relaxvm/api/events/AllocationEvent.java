package org.relaxvm.api.events;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** An allocator handed out a block. Off unless it is asked for: programs allocate all the time. */
@Name("relaxvm.Allocation")
@Label("Allocation")
@Category("RelaxVM")
@Description("An allocator handed out a block of memory")
@Enabled(false)
@StackTrace(false)
public final class AllocationEvent extends Event {
  @Label("Device")
  @Description("Whose memory it is")
  String device = "";

  @Label("Requested Size")
  @Description("What was asked for")
  @DataAmount
  long requestedBytes;

  @Label("Block Size")
  @Description("Size of the block that serves the request")
  @DataAmount
  long blockBytes;

  @Label("Reused")
  @Description("Whether the block was idle in the pool; otherwise the device gave it")
  boolean reused;

  @Label("Held Size")
  @Description("What the allocator holds from the device then, in use and idle")
  @DataAmount
  long heldBytes;

  private AllocationEvent() {}

  /**
   * Emits the event, when it is enabled.
   *
   * @param device named by its text
   * @param requestedBytes what was asked for
   * @param blockBytes size of the block that serves the request
   * @param reused whether the block was idle in a pool; otherwise the device gave it
   * @param heldBytes what the allocator holds from the device, in use and idle
   */
  public static void emit(
      Object device, long requestedBytes, long blockBytes, boolean reused, long heldBytes) {
    AllocationEvent event = new AllocationEvent();
    if (event.isEnabled()) {
      event.device = device.toString();
      event.requestedBytes = requestedBytes;
      event.blockBytes = blockBytes;
      event.reused = reused;
      event.heldBytes = heldBytes;
      event.commit();
    }
  }
}
