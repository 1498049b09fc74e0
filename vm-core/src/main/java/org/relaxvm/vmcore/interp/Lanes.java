package org.relaxvm.vmcore.interp;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.FirstFailure;
import org.relaxvm.api.spi.Event;
import org.relaxvm.api.spi.Stream;

/**
 * Further streams of a call, beside its own, for work that is independent. Used by the thread of
 * the call.
 */
final class Lanes {
  private final DeviceSet devices;
  private final CallScope scope;
  private final int count;

  /** By lane, from 1 on, and by device. */
  private final @Nullable Stream[][] streams;

  // Whether a stream has waited for what the call submitted before the region.
  private final boolean[][] isInRegion;

  Lanes(DeviceSet devices, CallScope scope, int count) {
    this.devices = devices;
    this.scope = scope;
    this.count = count;
    this.streams = new Stream[count][devices.devices().size()];
    this.isInRegion = new boolean[count][devices.devices().size()];
  }

  int count() {
    return count;
  }

  /**
   * The stream of a lane, which is after all that lane 0 was given so far when it is used first.
   */
  Stream stream(int lane, int device) {
    Stream stream = streams[lane][device];
    if (stream == null) {
      stream = devices.borrow(device);
      streams[lane][device] = stream;
    }
    if (!isInRegion[lane][device]) {
      isInRegion[lane][device] = true;
      order(stream, mainStream(device));
    }
    return stream;
  }

  /** The ends of the work of a lane now; the caller closes them. */
  List<DeviceEvent> record(int lane) {
    List<DeviceEvent> events = new ArrayList<>();
    for (int device = 0; device < devices.devices().size(); device++) {
      if (lane == 0 && !devices.devices().get(device).isHost()) {
        events.add(new DeviceEvent(device, mainStream(device).record()));
      } else if (lane > 0 && streams[lane][device] instanceof Stream stream) {
        events.add(new DeviceEvent(device, stream.record()));
      }
    }
    return events;
  }

  /** Has a lane wait for events. */
  void await(int lane, List<DeviceEvent> events) {
    for (DeviceEvent event : events) {
      Stream stream = lane == 0 ? mainStream(event.device()) : stream(lane, event.device());
      stream.waitFor(event.event());
    }
  }

  /** Has a lane wait for what another was given so far. */
  void order(int later, int earlier) {
    List<DeviceEvent> events = record(earlier);
    try {
      await(later, events);
    } finally {
      events.forEach(event -> event.event().close());
    }
  }

  /** Ends a region: lane 0 waits for all others. */
  void join() {
    for (int lane = 1; lane < count; lane++) {
      for (int device = 0; device < streams[lane].length; device++) {
        Stream stream = streams[lane][device];
        if (stream != null && isInRegion[lane][device]) {
          isInRegion[lane][device] = false;
          order(mainStream(device), stream);
        }
      }
    }
  }

  /** Waits on the host for the work of all lanes, before memory that it uses is released. */
  void synchronize() {
    Throwable failure = null;
    try {
      scope.synchronizeAll();
    } catch (RuntimeException | Error e) {
      failure = e;
    }
    for (int lane = 1; lane < count; lane++) {
      for (Stream stream : streams[lane]) {
        try {
          if (stream != null) {
            CallScope.synchronize(stream);
          }
        } catch (RuntimeException | Error e) {
          failure = FirstFailure.of(failure, e);
        }
      }
    }
    FirstFailure.raise(failure);
  }

  /** Waits for all work and gives the streams back; a failed stream is closed. */
  void end() {
    Throwable failure = null;
    for (int lane = 1; lane < count; lane++) {
      for (int device = 0; device < streams[lane].length; device++) {
        Stream stream = streams[lane][device];
        streams[lane][device] = null;
        isInRegion[lane][device] = false;
        if (stream != null) {
          failure = giveBack(device, stream, failure);
        }
      }
    }
    FirstFailure.raise(failure);
  }

  private @Nullable Throwable giveBack(int device, Stream stream, @Nullable Throwable earlier) {
    try {
      CallScope.synchronize(stream);
      devices.giveBack(device, stream);
      return earlier;
    } catch (RuntimeException | Error e) {
      Throwable failure = FirstFailure.of(earlier, e);
      try {
        stream.close();
      } catch (RuntimeException | Error another) {
        failure = FirstFailure.of(failure, another);
      }
      return failure;
    }
  }

  private Stream mainStream(int device) {
    return scope.ownStream(device);
  }

  private static void order(Stream later, Stream earlier) {
    try (Event end = earlier.record()) {
      later.waitFor(end);
    }
  }

  /** A point in the work of a lane on one device. */
  record DeviceEvent(int device, Event event) {}
}
