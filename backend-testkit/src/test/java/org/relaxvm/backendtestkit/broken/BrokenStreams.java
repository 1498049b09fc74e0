package org.relaxvm.backendtestkit.broken;

import org.relaxvm.api.DeviceId;
import org.relaxvm.api.spi.Event;
import org.relaxvm.api.spi.Stream;
import org.relaxvm.backendtestkit.reference.ReferenceDevice;
import org.relaxvm.backendtestkit.reference.ReferenceStream;

/** Reference devices whose streams are wrong in one place each. */
final class BrokenStreams {
  private BrokenStreams() {}

  static final class DoesNotWait extends ReferenceDevice {
    DoesNotWait(DeviceId id) {
      super(id);
    }

    @Override
    public Stream openStream() {
      requireOpen();
      return new ReferenceStream(this) {
        @Override
        public void waitFor(Event event) {}
      };
    }
  }

  static final class DropsWorkAtClose extends ReferenceDevice {
    DropsWorkAtClose(DeviceId id) {
      super(id);
    }

    @Override
    public Stream openStream() {
      requireOpen();
      return new ReferenceStream(this) {
        @Override
        public void close() {}
      };
    }
  }

  static final class EventsAreNeverDone extends ReferenceDevice {
    EventsAreNeverDone(DeviceId id) {
      super(id);
    }

    @Override
    public Stream openStream() {
      requireOpen();
      return new ReferenceStream(this) {
        @Override
        public Event record() {
          return new NeverDone(super.record());
        }
      };
    }
  }

  private record NeverDone(Event event) implements Event {
    @Override
    public boolean isComplete() {
      return false;
    }

    @Override
    public void await() {
      event.await();
    }

    @Override
    public void close() {
      event.close();
    }
  }
}
