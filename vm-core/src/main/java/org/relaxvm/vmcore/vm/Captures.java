package org.relaxvm.vmcore.vm;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Closure;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.Value;
import org.relaxvm.api.error.CaptureException;
import org.relaxvm.api.error.DeviceOutOfMemoryException;
import org.relaxvm.api.error.FirstFailure;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.api.events.Events;
import org.relaxvm.api.spi.Device;
import org.relaxvm.vmcore.capture.Recorder;
import org.relaxvm.vmcore.interp.DeviceSet;
import org.relaxvm.vmcore.interp.Engine;

/** Captures calls, and knows those that are open. Thread-safe. */
final class Captures {
  private final VirtualMachine vm;
  private final Engine engine;
  private final Set<CaptureState> open = new LinkedHashSet<>();

  Captures(VirtualMachine vm, Engine engine) {
    this.vm = vm;
    this.engine = engine;
  }

  /**
   * Captures a call.
   *
   * @param required whether it is an error when the call cannot be recorded
   */
  CaptureState capture(String function, boolean required, @Nullable Object[] args) {
    Closure target = vm.closure(function);
    return engine.guarded(
        "function " + function,
        () -> {
          @Nullable Object[] inputs = convert(function, args);
          boolean done = false;
          try {
            CaptureState state = capture(function, target, required, inputs);
            done = true;
            return state;
          } finally {
            if (!done) {
              InputDevices.release(inputs);
            }
          }
        });
  }

  private @Nullable Object[] convert(String function, @Nullable Object[] args) {
    try (Conversion conversion = Conversion.of(function, args)) {
      return vm.inputDevices(function).toDevices(conversion.values());
    }
  }

  private CaptureState capture(
      String function, Closure target, boolean required, @Nullable Object[] inputs) {
    int index = deviceOf(inputs);
    Device device = engine.devices().devices().get(index);
    Replay replay;
    String reason = null;
    try {
      replay = record(target, index, required, inputs);
    } catch (CaptureException e) {
      if (required) {
        throw located(function, device, e);
      }
      reason = e.summary().lines().findFirst().orElse("");
      Events.fallback("capture of function " + function, "a plain call each time", reason);
      replay = new PlainReplay(function, () -> engine.call(target, inputs));
    }
    CaptureState made = new CaptureState(function, device, inputs, replay, reason, this::forget);
    synchronized (open) {
      open.add(made);
    }
    return made;
  }

  /** The device of the first tensor that is not on the host; else the main device. */
  private int deviceOf(@Nullable Object[] inputs) {
    DeviceSet devices = engine.devices();
    List<Tensor> tensors = new ArrayList<>();
    collect(inputs, tensors);
    for (Tensor tensor : tensors) {
      if (!tensor.device().isHost() && devices.indexOf(tensor.device()) >= 0) {
        return devices.indexOf(tensor.device());
      }
    }
    return 0;
  }

  // Not recursive: a program decides how deep it nests tuples.
  private static void collect(@Nullable Object[] values, List<Tensor> tensors) {
    ArrayDeque<@Nullable Object[]> waiting = new ArrayDeque<>();
    waiting.add(values);
    while (!waiting.isEmpty()) {
      for (Object value : waiting.remove()) {
        if (value instanceof Tensor tensor) {
          tensors.add(tensor);
        } else if (value instanceof Tuple tuple) {
          waiting.add(tuple.fields().toArray());
        }
      }
    }
  }

  /**
   * Makes the call once as it is, then once to record it. The first is made too when the call will
   * not be recorded and need not be: a captured call then does the same in both cases.
   */
  private Replay record(Closure target, int index, boolean required, @Nullable Object[] inputs) {
    try (Recorder recorder = open(target, index, required, inputs)) {
      engine.call(target, inputs, recorder).close();
      recorder.begin();
      try {
        Value result = engine.call(target, inputs, recorder);
        return new Replay.Recorded(recorder.end(result), recorder.stream());
      } catch (CaptureException | DeviceOutOfMemoryException e) {
        throw e;
      } catch (RelaxException e) {
        throw refused(e);
      }
    }
  }

  private Recorder open(Closure target, int index, boolean required, @Nullable Object[] inputs) {
    try {
      checkInputs(engine.devices().devices().get(index), inputs);
      return engine.recorder(index);
    } catch (CaptureException e) {
      if (!required) {
        engine.call(target, inputs).close();
      }
      throw e;
    }
  }

  /** What is on the host is read when the call is recorded, and never again. */
  private static void checkInputs(Device device, @Nullable Object[] inputs) {
    for (int i = 0; i < inputs.length; i++) {
      List<Tensor> tensors = new ArrayList<>();
      collect(new Object[] {inputs[i]}, tensors);
      for (Tensor tensor : tensors) {
        if (!tensor.device().equals(device)) {
          throw new CaptureException(
              "argument "
                  + i
                  + " is on "
                  + tensor.device()
                  + ", and a recording reads memory of one device, "
                  + device
                  + "\n  what to do: capture a function whose tensors are all on "
                  + device);
        }
      }
    }
  }

  /** The call went well just before, so it failed because it is recorded. */
  private static CaptureException refused(RelaxException error) {
    CaptureException refusal =
        new CaptureException(
            error.summary()
                + "\n  what to do: capture a function that only submits work to the device, without"
                + " branches on tensors, copies to or from the host, and kernels of the host; or"
                + " call it without a capture",
            error);
    error.locations().forEach(refusal::addLocation);
    return refusal;
  }

  private static CaptureException located(String function, Device device, CaptureException error) {
    CaptureException located =
        new CaptureException(
            "the call of function "
                + function
                + " cannot be recorded on "
                + device
                + ": "
                + error.summary(),
            error);
    error.locations().forEach(located::addLocation);
    return located;
  }

  private void forget(CaptureState state) {
    synchronized (open) {
      open.remove(state);
    }
  }

  /** Closes what is open, each even if others fail; no call is under way. */
  void close() {
    List<CaptureState> left;
    synchronized (open) {
      left = List.copyOf(open);
    }
    Throwable failure = null;
    for (CaptureState state : left) {
      try {
        state.close();
      } catch (RuntimeException | Error e) {
        failure = FirstFailure.of(failure, e);
      }
    }
    FirstFailure.raise(failure);
  }
}
