package org.relaxvm.vmcore.vm;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Managed;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.Value;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.events.CallEvent;
import org.relaxvm.api.events.Events;
import org.relaxvm.api.spi.Device;

/** What a captured call holds, until its user or the VM closes it. Thread-safe. */
final class CaptureState {
  private final String function;
  private final Device device;
  private final @Nullable Object[] inputs;
  private final Replay replay;
  private final @Nullable String reason;
  private final Consumer<CaptureState> forget;
  private boolean closed;
  private volatile Runnable unwatch = () -> {};

  /**
   * Takes over inputs and replay.
   *
   * @param reason why the call is not recorded; null when it is
   * @param forget told when everything is released
   */
  CaptureState(
      String function,
      Device device,
      @Nullable Object[] inputs,
      Replay replay,
      @Nullable String reason,
      Consumer<CaptureState> forget) {
    this.function = function;
    this.device = device;
    this.inputs = inputs;
    this.replay = replay;
    this.reason = reason;
    this.forget = forget;
  }

  String function() {
    return function;
  }

  Device device() {
    return device;
  }

  @Nullable String reason() {
    return reason;
  }

  int size() {
    return replay.size();
  }

  void watchedBy(Runnable whenClosed) {
    unwatch = whenClosed;
  }

  /** An input by its path, borrowed. */
  synchronized Tensor input(int[] path) {
    requireOpen();
    if (path.length == 0) {
      throw new IllegalArgumentException("an input has an index, but none is given");
    }
    Object value = null;
    @Nullable Object[] values = inputs;
    for (int i = 0; i < path.length; i++) {
      if (path[i] < 0 || path[i] >= values.length) {
        throw new CallException(
            ErrorKind.INDEX,
            "there is no input "
                + text(path, i + 1)
                + " of the captured call of function "
                + function
                + ": there are "
                + values.length
                + " here");
      }
      value = values[path[i]];
      values = value instanceof Tuple tuple ? tuple.fields().toArray() : new Object[0];
    }
    if (value instanceof Tensor tensor) {
      return tensor;
    }
    throw new CallException(
        ErrorKind.TYPE,
        "input "
            + text(path, path.length)
            + " of the captured call of function "
            + function
            + " is no tensor, but "
            + value);
  }

  private static String text(int[] path, int count) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < count; i++) {
      text.append(i == 0 ? "" : ".").append(path[i]);
    }
    return text.toString();
  }

  synchronized void setInput(int index, Tensor content) {
    Tensor target = input(new int[] {index});
    if (!content.dtype().equals(target.dtype()) || !content.shape().equals(target.shape())) {
      throw new CallException(
          ErrorKind.VALUE,
          "input "
              + index
              + " of the captured call of function "
              + function
              + " cannot be set: expected a tensor as it was captured with, "
              + target
              + ", got "
              + content
              + "\n  what to do: capture the call once more for other shapes");
    }
    content.copyInto(target);
  }

  /** Makes the call again; the result has handles of its own. */
  synchronized Value replay() {
    requireOpen();
    CallEvent event = Events.areOn() && reason == null ? CallEvent.start(function) : null;
    boolean done = false;
    try {
      replay.run();
      Object result = replay.result();
      Value value = Value.owned(result instanceof Managed managed ? managed.newHandle() : result);
      done = true;
      return value;
    } finally {
      if (event != null) {
        event.finish(0, !done);
      }
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new CallException(
          ErrorKind.VALUE, "the captured call of function " + function + " is closed");
    }
  }

  /** Releases everything after a replay that is under way; again does nothing. */
  void close() {
    unwatch.run();
    giveBack();
  }

  private synchronized void giveBack() {
    if (!closed) {
      closed = true;
      try {
        replay.close();
      } finally {
        InputDevices.release(inputs);
        forget.accept(this);
      }
    }
  }
}
