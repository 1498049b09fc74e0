package org.relaxvm.vmcore.interp;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.FirstFailure;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.api.spi.Allocator;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.Stream;
import org.relaxvm.vmcore.capture.Recorder;

/**
 * What a call from outside and all calls nested in it share: one stream per device, opened when
 * first asked for, and the instructions left. Used by one thread.
 */
final class CallScope {
  private final DeviceSet devices;
  private final Allocator[] allocators;
  private final @Nullable Stream[] streams;
  private final List<Lanes> allLanes = new ArrayList<>();
  private @Nullable Lanes lanes;
  private int lane;
  private @Nullable Recorder recorder;
  private long instructionsAtFirst;
  long instructionsLeft;

  /** Calls of compiled functions under way, which count as frames. */
  int compiledFrames;

  CallScope(DeviceSet devices) {
    this.devices = devices;
    this.allocators = devices.allocators().toArray(new Allocator[0]);
    this.streams = new Stream[devices.devices().size()];
  }

  void begin(CallLimits limits) {
    instructionsAtFirst = limits.maxInstructions() > 0 ? limits.maxInstructions() : Long.MAX_VALUE;
    instructionsLeft = instructionsAtFirst;
    compiledFrames = 0;
  }

  /** Instructions executed since the call began; one that the limit refused is none of them. */
  long executedInstructions() {
    return instructionsAtFirst - Math.max(0, instructionsLeft);
  }

  /** What calls get that are made to record their work; null for all others. */
  @Nullable Recorder recorder() {
    return recorder;
  }

  /** Lets the calls that follow use a recorder's stream and memory; null ends that. */
  void recorder(@Nullable Recorder used) {
    this.recorder = used;
  }

  /** The hook of a run that begins now. */
  @Nullable CallHook around(@Nullable CallHook hook) {
    Recorder now = recorder;
    return now == null ? hook : new Observed(now, hook);
  }

  private int resolve(int deviceIndex) {
    return deviceIndex >= 0 && deviceIndex < allocators.length
        ? deviceIndex
        : devices.resolve(deviceIndex);
  }

  Allocator allocator(int deviceIndex) {
    int index = resolve(deviceIndex);
    Recorder now = recorder;
    return now != null && now.isOf(devices.devices().get(index)) ? now.memory() : allocators[index];
  }

  /** The streams of instructions that are independent; made at first use. */
  Lanes lanes(int count) {
    Lanes known = lanes;
    if (known == null || known.count() < count) {
      known = new Lanes(devices, this, count);
      allLanes.add(known);
      lanes = known;
    }
    return known;
  }

  /** Has calls use the streams of a lane from now on; 0 for those of the call. */
  void lane(int newLane) {
    this.lane = newLane;
  }

  Stream stream(int deviceIndex) {
    int index = resolve(deviceIndex);
    Lanes own = lanes;
    if (lane > 0 && own != null && !devices.devices().get(index).isHost()) {
      return own.stream(lane, index);
    }
    Recorder now = recorder;
    if (now != null) {
      Device device = devices.devices().get(index);
      if (now.isOf(device)) {
        return now.stream();
      }
      now.checkOther(device);
    }
    return ownStream(index);
  }

  /** Waits for all work that was submitted so far. */
  void synchronizeAll() {
    for (Stream stream : streams) {
      if (stream != null) {
        synchronize(stream);
      }
    }
  }

  /** The stream of a device outside of lanes. */
  Stream ownStream(int index) {
    Stream stream = streams[index];
    if (stream == null) {
      stream = devices.borrow(index);
      streams[index] = stream;
    }
    return stream;
  }

  /**
   * Waits for all submitted work and gives the streams back, each even if others fail; a failed
   * stream is closed. The stream of a recorder is its own to release, and not waited for while it
   * records.
   */
  void end() {
    Throwable failure = null;
    Recorder recording = recorder;
    recorder = null;
    if (recording != null && !recording.records()) {
      try {
        synchronize(recording.stream());
      } catch (RuntimeException | Error e) {
        failure = e;
      }
    }
    lane = 0;
    lanes = null;
    for (Lanes used : allLanes) {
      try {
        used.end();
      } catch (RuntimeException | Error e) {
        failure = FirstFailure.of(failure, e);
      }
    }
    allLanes.clear();
    for (int i = 0; i < streams.length; i++) {
      Stream stream = streams[i];
      streams[i] = null;
      if (stream != null) {
        boolean given = false;
        try {
          synchronize(stream);
          devices.giveBack(i, stream);
          given = true;
        } catch (RuntimeException | Error e) {
          failure = FirstFailure.of(failure, e);
        }
        try {
          if (!given) {
            stream.close();
          }
        } catch (RuntimeException | Error e) {
          failure = FirstFailure.of(failure, e);
        }
      }
    }
    FirstFailure.raise(failure);
  }

  /** Waits; the failure is a typed one whatever the device throws. */
  static void synchronize(Stream stream) {
    try {
      stream.synchronize();
    } catch (RelaxException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new BackendException(
          ErrorKind.RUNTIME,
          "waiting for the work of the call on " + stream.device() + " failed: " + e,
          e);
    }
  }

  /** Shows a recorder the packed functions that are called, after the hook that is set. */
  private record Observed(Recorder recorder, @Nullable CallHook next) implements CallHook {
    @Override
    public boolean before(Object callee, String symbol, CallArgs args) {
      if (next != null && next.before(callee, symbol, args)) {
        return true;
      }
      if (callee instanceof PackedFunc) {
        recorder.observe(callee, args);
      }
      return false;
    }

    @Override
    public void after(Object callee, String symbol, CallArgs args, @Nullable Object result) {
      if (next != null) {
        next.after(callee, symbol, args, result);
      }
    }
  }
}
