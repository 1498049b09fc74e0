package org.relaxvm.builtins.fakes;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.Closure;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Value;
import org.relaxvm.api.VmContext;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.host.HostDevice;
import org.relaxvm.api.host.HostStream;
import org.relaxvm.api.parallel.WorkerPool;
import org.relaxvm.api.spi.Allocator;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.Stream;
import org.relaxvm.builtins.BuiltinFunctions;

/** A VM without bytecode: devices, allocators, closures called with their bound values. */
public final class FakeVm implements VmContext, AutoCloseable {
  private final BuiltinFunctions builtins;
  private final List<Device> devices = new ArrayList<>();
  private final List<CountingAllocator> allocators = new ArrayList<>();
  private final Map<Class<?>, Object> attachments = new HashMap<>();
  private final Map<String, PackedFunc> globals = new HashMap<>();

  /** A VM with the given devices and, after them, the host. */
  public FakeVm(Device... devices) {
    this(new BuiltinFunctions(), devices);
  }

  public FakeVm(BuiltinFunctions builtins, Device... devices) {
    this.builtins = builtins;
    this.devices.addAll(List.of(devices));
    this.devices.add(HostDevice.INSTANCE);
    this.devices.forEach(device -> allocators.add(new CountingAllocator(device)));
  }

  /** Calls a builtin as this VM's bytecode would. */
  public Value call(String name, @Nullable Object... args) {
    CallResult result = new CallResult();
    PackedFunc function =
        builtins.find(name).orElseThrow(() -> new AssertionError("no builtin " + name));
    function.call(CallArgs.of(this, args), result);
    return result.takeValue();
  }

  public void define(String name, PackedFunc function) {
    globals.put(name, function);
  }

  @Override
  public List<Device> devices() {
    return devices;
  }

  @Override
  public CountingAllocator allocator(int deviceIndex) {
    return allocators.get(index(deviceIndex));
  }

  @Override
  public Stream stream(int deviceIndex) {
    return new HostStream(devices.get(index(deviceIndex)));
  }

  @Override
  public int indexOf(Device device) {
    return devices.indexOf(device);
  }

  @Override
  public WorkerPool workers() {
    throw new UnsupportedOperationException("no builtin works in parallel");
  }

  @Override
  public void invoke(@Nullable Object callee, CallArgs args, CallResult result) {
    switch (callee) {
      case PackedFunc function -> function.call(args, result);
      case Closure closure -> {
        List<@Nullable Object> all = new ArrayList<>();
        Collections.addAll(all, args.toArray());
        all.addAll(closure.bound());
        closure.target().call(CallArgs.of(this, all.toArray()), result);
      }
      case null, default ->
          throw new CallException(
              ErrorKind.INTERNAL, "Function expects a closure or ffi::Function");
    }
  }

  @Override
  public Optional<PackedFunc> findFunction(String name) {
    return Optional.ofNullable(globals.get(name));
  }

  @Override
  public <T> T attachment(Class<T> key, Supplier<? extends T> factory) {
    return key.cast(attachments.computeIfAbsent(key, _ -> factory.get()));
  }

  @Override
  public void close() throws Exception {
    for (Object attachment : attachments.values()) {
      if (attachment instanceof AutoCloseable closeable) {
        closeable.close();
      }
    }
    for (Allocator allocator : allocators) {
      allocator.close();
    }
  }

  private int index(int deviceIndex) {
    return deviceIndex == -1 ? devices.size() - 1 : deviceIndex;
  }
}
