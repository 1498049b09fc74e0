package org.relaxvm.api.host;

import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.Event;
import org.relaxvm.api.spi.Stream;

/** A stream of a device that does everything at once: whatever was submitted is already done. */
public record HostStream(Device device) implements Stream {
  @Override
  public void synchronize() {}

  @Override
  public Event record() {
    return CompletedEvent.INSTANCE;
  }

  @Override
  public void waitFor(Event event) {
    event.await();
  }

  @Override
  public void close() {}

  private enum CompletedEvent implements Event {
    INSTANCE;

    @Override
    public boolean isComplete() {
      return true;
    }

    @Override
    public void await() {}

    @Override
    public void close() {}
  }
}
