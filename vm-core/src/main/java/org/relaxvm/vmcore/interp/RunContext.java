package org.relaxvm.vmcore.interp;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.Closure;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.TypeKeys;
import org.relaxvm.api.engine.ProgramCalls;
import org.relaxvm.api.engine.ProgramContext;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.CaptureException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.parallel.WorkerPool;
import org.relaxvm.api.spi.Allocator;
import org.relaxvm.api.spi.CapturingStream;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.Stream;
import org.relaxvm.vmcore.capture.Recorder;

/** What the functions that a run calls see of it. */
final class RunContext implements ProgramContext {
  private final Engine engine;
  private final Run run;

  RunContext(Engine engine, Run run) {
    this.engine = engine;
    this.run = run;
  }

  Engine engine() {
    return engine;
  }

  CallScope scope() {
    CallScope scope = run.scope;
    if (scope == null) {
      throw new CallException(
          ErrorKind.VALUE,
          "the VM call that this context belongs to has ended: a context must not be kept");
    }
    return scope;
  }

  @Override
  public ProgramCalls calls() {
    return new TableCalls(engine, scope());
  }

  @Override
  public List<Device> devices() {
    return engine.devices().devices();
  }

  @Override
  public Allocator allocator(int deviceIndex) {
    CallScope scope = run.scope;
    if (scope != null) {
      return scope.allocator(deviceIndex);
    }
    DeviceSet devices = engine.devices();
    return devices.allocators().get(devices.resolve(deviceIndex));
  }

  @Override
  public Stream stream(int deviceIndex) {
    return scope().stream(deviceIndex);
  }

  @Override
  public int indexOf(Device device) {
    return engine.devices().indexOf(device);
  }

  @Override
  public int indexOf(long typeCode, long ordinal) {
    return engine.devices().indexOf(typeCode, ordinal);
  }

  @Override
  public WorkerPool workers() {
    WorkerPool shared = run.kernelWorkers;
    return shared != null ? shared : engine.workers();
  }

  @Override
  public void invoke(@Nullable Object callee, CallArgs args, CallResult result) {
    switch (callee) {
      case Closure closure -> engine.callClosure(closure, args, result, this);
      case BytecodeFunction function -> function.callWithin(this, args, NO_VALUES, result);
      case PackedFunc function -> callPacked(function, args, result);
      case null, default ->
          throw new CallException(
                  ErrorKind.TYPE,
                  "only a closure or a function can be called, but the value is "
                      + TypeKeys.describe(callee))
              .withTvmMessage("Function expects a closure or ffi::Function ");
    }
  }

  /** Counts as nested, for packed functions can call packed functions among their arguments. */
  private void callPacked(PackedFunc function, CallArgs args, CallResult result) {
    engine.gate().nest("a packed function");
    try {
      function.call(
          args.contextOrNull() != null ? args : CallArgs.of(this, args.toArray()), result);
    } finally {
      engine.gate().unnest();
    }
  }

  private static final @Nullable Object[] NO_VALUES = {};

  @Override
  public boolean canRecord(int deviceIndex) {
    CallScope scope = scope();
    return scope.recorder() == null && scope.stream(deviceIndex) instanceof CapturingStream;
  }

  @Override
  public Recording record(int deviceIndex, @Nullable Object callee, CallArgs args) {
    CallScope scope = scope();
    if (scope.recorder() != null) {
      throw new CaptureException("the call that would be recorded is part of a recording already");
    }
    try (Recorder recorder = engine.recorder(engine.devices().resolve(deviceIndex))) {
      CallResult made = new CallResult();
      try {
        recorder.begin();
        scope.recorder(recorder);
        invoke(callee, args, made);
      } catch (RuntimeException | Error e) {
        made.setNull();
        throw e;
      } finally {
        scope.recorder(null);
      }
      return recorder.end(made.takeValue());
    }
  }

  @Override
  public Optional<PackedFunc> findFunction(String name) {
    return engine.findFunction(name);
  }

  @Override
  public <T> T attachment(Class<T> key, Supplier<? extends T> factory) {
    return engine.attachments().get(key, factory);
  }

  @Override
  public String toString() {
    return "context of a VM call on " + devices();
  }
}
