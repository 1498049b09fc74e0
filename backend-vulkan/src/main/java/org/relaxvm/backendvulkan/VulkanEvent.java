package org.relaxvm.backendvulkan;

import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.Event;
import org.relaxvm.backendvulkan.context.DeviceContext;
import org.relaxvm.backendvulkan.context.Timeline;

/**
 * A value of a stream's timeline. Holds nothing of the device: the timeline outlives its stream,
 * and means the same for ever. Thread-safe.
 */
final class VulkanEvent implements Event {
  private final DeviceContext context;
  private final Device device;
  private final Timeline timeline;
  private final long value;
  private final boolean done;

  /**
   * A point of a stream.
   *
   * @param done whether nothing before it will run any more, as on a device that is lost
   */
  VulkanEvent(DeviceContext context, Device device, Timeline timeline, long value, boolean done) {
    this.context = context;
    this.device = device;
    this.timeline = timeline;
    this.value = value;
    this.done = done;
  }

  Device device() {
    return device;
  }

  Timeline timeline() {
    return timeline;
  }

  long value() {
    return value;
  }

  @Override
  public boolean isComplete() {
    // Work that failed is done with, too: who waits for it learns of the failure.
    if (done || context.isLost()) {
      return true;
    }
    timeline.flush(value);
    return timeline.isReached(value);
  }

  @Override
  public void await() {
    if (!done) {
      context.requireUsable();
      timeline.await(value, "finish the work before an event");
    }
  }

  @Override
  public void close() {
    // Nothing is held for it.
  }
}
