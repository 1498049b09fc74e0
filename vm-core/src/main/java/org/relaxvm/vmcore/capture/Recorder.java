package org.relaxvm.vmcore.capture;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.Value;
import org.relaxvm.api.VmContext;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.CaptureException;
import org.relaxvm.api.error.FirstFailure;
import org.relaxvm.api.spi.Allocator;
import org.relaxvm.api.spi.CapturedWork;
import org.relaxvm.api.spi.CapturingStream;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.Stream;

/**
 * What calls get whose device work is to be recorded: a stream of one device, and memory that the
 * recording keeps. Calls before {@link #begin} are done, so that they can prepare everything; the
 * call after it is recorded; {@link #end} hands over what was recorded, with stream and memory.
 *
 * <p>Used by one thread.
 */
public final class Recorder implements AutoCloseable {
  private final Device device;
  private final CapturingStream stream;
  private final CaptureMemory memory;
  private final KeptStorages kept;
  private final Function<Object, @Nullable String> userFunctions;
  private boolean records;
  private boolean handedOver;

  private Recorder(
      CapturingStream stream,
      CaptureMemory memory,
      Function<Object, @Nullable String> userFunctions) {
    this.device = stream.device();
    this.stream = stream;
    this.memory = memory;
    this.kept = new KeptStorages(device, memory);
    this.userFunctions = userFunctions;
  }

  /**
   * A recorder for a device.
   *
   * @param allocator of the device, which gives the memory
   * @param userFunctions the name of a function that the user registered; null for any other value
   * @throws CaptureException when the device's streams record nothing
   */
  public static Recorder open(
      Device device, Allocator allocator, Function<Object, @Nullable String> userFunctions) {
    Stream stream = device.openStream();
    if (stream instanceof CapturingStream capturing) {
      return new Recorder(capturing, new CaptureMemory(allocator), userFunctions);
    }
    stream.close();
    throw new CaptureException(
        "streams of "
            + device
            + " record no work\n  what to do: captureOrCall makes plain calls where nothing can be"
            + " recorded");
  }

  /** Whether a device is the one whose work is recorded. */
  @SuppressWarnings("ReferenceEquality") // a device is one object
  public boolean isOf(Device other) {
    return device == other;
  }

  /** The stream for calls, on the device whose work is recorded. */
  public CapturingStream stream() {
    return stream;
  }

  /** The memory for calls. */
  public CaptureMemory memory() {
    return memory;
  }

  /** Whether a call that is made now is recorded. */
  public boolean records() {
    return records;
  }

  /** Refuses the stream of a second device, while a call is recorded. */
  public void checkOther(Device other) {
    if (records && !other.isHost()) {
      throw new CaptureException(
          "it works on "
              + other
              + " beside "
              + device
              + ", and a recording is of one device\n  what to do: capture a function for each"
              + " device, or call it without a capture");
    }
  }

  /**
   * Looks at a packed function that is about to be called: keeps the memory that its arguments are
   * in, and refuses functions of which nobody knows whether they only submit work.
   */
  public void observe(Object callee, CallArgs args) {
    if (!records) {
      return;
    }
    boolean touches = false;
    String user = userFunctions.apply(callee);
    for (int i = 0; i < args.count(); i++) {
      Object value = args.ref(i);
      touches |= kept.keep(value);
      user = user == null && value != null ? userFunctions.apply(value) : user;
    }
    if (touches && user != null) {
      throw new CaptureException(
          "it calls "
              + user
              + ", a function that was registered on the builder, with memory of "
              + device
              + ": what such a function does on the host would be done once, when the call is"
              + " recorded, and not at each replay\n  what to do: leave the function out of the"
              + " call, or put it into a module (VmBuilder.module) when all that it does with"
              + " memory of the device is to submit work to the stream of its context");
    }
  }

  /** Records the call that is made next. */
  public void begin() {
    stream.beginCapture();
    records = true;
  }

  /**
   * Ends the recording, and hands stream and memory over to it.
   *
   * @param result of the call that was recorded; the recording closes it, also on failure
   */
  public VmContext.Recording end(Value result) {
    boolean done = false;
    try {
      records = false;
      CapturedWork work = stream.endCapture();
      handedOver = true;
      done = true;
      return new Recorded(this, work, result);
    } finally {
      if (!done) {
        result.close();
      }
    }
  }

  /** Releases everything that was not handed over; a recording under way is dropped. */
  @Override
  public void close() {
    if (!handedOver) {
      handedOver = true;
      List<Runnable> actions = new ArrayList<>();
      if (records) {
        records = false;
        actions.add(this::drop);
      }
      actions.add(this::giveBack);
      runAll(actions);
    }
  }

  /** What cannot be recorded was told to whoever submitted it. */
  private void drop() {
    try {
      stream.endCapture().close();
    } catch (BackendException e) {
      // It says once more why the recording is of no use.
    }
  }

  /** Releases stream and memory. */
  void giveBack() {
    runAll(List.of(stream::close, kept::release, memory::close));
  }

  static void runAll(List<Runnable> actions) {
    Throwable failure = null;
    for (Runnable action : actions) {
      try {
        action.run();
      } catch (RuntimeException | Error e) {
        failure = FirstFailure.of(failure, e);
      }
    }
    FirstFailure.raise(failure);
  }
}
