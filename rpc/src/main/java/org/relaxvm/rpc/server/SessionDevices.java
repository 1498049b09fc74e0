package org.relaxvm.rpc.server;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.DeviceTypeCodes;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.TypeKeys;
import org.relaxvm.api.VmContext;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.FirstFailure;
import org.relaxvm.api.memory.AllocatorOptions;
import org.relaxvm.api.memory.NaiveAllocator;
import org.relaxvm.api.memory.PooledAllocator;
import org.relaxvm.api.parallel.WorkerPool;
import org.relaxvm.api.spi.Allocator;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.Stream;
import org.relaxvm.rpc.wire.WireDevice;

/**
 * The devices of a session, with an allocator within the session's budget and a stream each. This
 * is the context in which functions are called that no virtual machine calls.
 *
 * <p>Used by the session's thread.
 */
final class SessionDevices implements VmContext, AutoCloseable {
  private final List<Device> devices;
  private final List<WireDevice> wireDevices = new ArrayList<>();
  private final List<Allocator> allocators = new ArrayList<>();

  /** For memory scopes, which pools do not have. */
  private final List<Allocator> scoped = new ArrayList<>();

  private final @Nullable Stream[] streams;

  /** The stream that the client chose for a device, or null for the session's own. */
  private final @Nullable Stream[] chosen;

  private final long[] chosenHandles;

  private final Function<String, Optional<PackedFunc>> functions;
  private final Map<Class<?>, Object> attachments = new HashMap<>();

  /**
   * Devices of a session.
   *
   * @param devices the last one is the host
   * @param budget bytes that the session may hold of each device
   * @param functions finds functions by their global names
   */
  SessionDevices(
      List<Device> devices, long budget, Function<String, Optional<PackedFunc>> functions) {
    this.devices = List.copyOf(devices);
    this.functions = functions;
    this.streams = new Stream[devices.size()];
    this.chosen = new Stream[devices.size()];
    this.chosenHandles = new long[devices.size()];
    AllocatorOptions options = AllocatorOptions.DEFAULT.withBudget(budget);
    int extensions = 0;
    for (Device device : devices) {
      allocators.add(new PooledAllocator(device, options));
      scoped.add(new NaiveAllocator(device, options));
      int type = device.id().typeCode();
      // Kinds that DLPack does not know share a number.
      int id = type == DeviceTypeCodes.EXTENSION ? extensions++ : device.id().ordinal();
      wireDevices.add(new WireDevice(type, id));
    }
  }

  /**
   * The index of a device of the protocol.
   *
   * @return -1 when the server has no such device
   * @throws CallException for a number that is no device type
   */
  int find(WireDevice device) {
    if (DeviceTypeCodes.kindOf(device.type()).isEmpty()) {
      throw new CallException(
              ErrorKind.VALUE,
              device.type() + " is no device type; docs/spec/rpc-protocol.md, section 7 lists them")
          .withTvmMessage("unknown type = " + device.type());
    }
    return device.type() == devices.getLast().id().typeCode()
        ? devices.size() - 1
        : wireDevices.indexOf(device);
  }

  /** As {@link #find}, but a device that the server lacks is an error. */
  int require(WireDevice device) {
    int index = find(device);
    if (index < 0) {
      String kind = DeviceTypeCodes.kindOf(device.type()).orElse("");
      throw new CallException(
              ErrorKind.VALUE,
              "this server has no device "
                  + kind
                  + ":"
                  + device.id()
                  + "; it has "
                  + devices
                  + "\n  what to do: start it with --devices "
                  + kind
                  + ":"
                  + device.id()
                  + ", or name one that it has")
          .withTvmMessage("Device API " + kind + " is not enabled.");
    }
    return index;
  }

  /** What a client calls a device. */
  WireDevice wireDevice(Device device) {
    int index = devices.indexOf(device);
    return index < 0 ? wireDevices.getLast() : wireDevices.get(index);
  }

  /**
   * Chooses the stream of calls and copies.
   *
   * @param stream null for the session's own
   * @param handle what the client calls it, 0 for the session's own
   */
  void choose(int index, @Nullable Stream stream, long handle) {
    chosen[index] = stream;
    chosenHandles[index] = handle;
  }

  /** The handle of the stream that was chosen; 0 for the session's own. */
  long chosen(int index) {
    return chosenHandles[index];
  }

  /** Waits for all work of the session. */
  void synchronize() {
    for (Stream stream : streams) {
      if (stream != null) {
        stream.synchronize();
      }
    }
    for (Stream stream : chosen) {
      if (stream != null) {
        stream.synchronize();
      }
    }
  }

  // ---------------------------------------------------------------- as a context

  @Override
  public List<Device> devices() {
    return devices;
  }

  private int resolve(int index) {
    int resolved = index == -1 ? devices.size() - 1 : index;
    if (resolved < 0 || resolved >= devices.size()) {
      throw new CallException(
          ErrorKind.INDEX, "there is no device " + index + "; the devices are " + devices);
    }
    return resolved;
  }

  @Override
  public Allocator allocator(int deviceIndex) {
    return allocators.get(resolve(deviceIndex));
  }

  /** The allocator for a memory scope of a device; empty or {@code global} is ordinary memory. */
  Allocator allocator(int deviceIndex, String scope) {
    boolean isOrdinary = scope.isEmpty() || scope.equals("global");
    return (isOrdinary ? allocators : scoped).get(resolve(deviceIndex));
  }

  @Override
  public Stream stream(int deviceIndex) {
    int index = resolve(deviceIndex);
    Stream stream = chosen[index];
    if (stream != null) {
      return stream;
    }
    Stream own = streams[index];
    if (own == null) {
      own = devices.get(index).openStream();
      streams[index] = own;
    }
    return own;
  }

  @Override
  public int indexOf(Device device) {
    return devices.indexOf(device);
  }

  @Override
  public int indexOf(long typeCode, long ordinal) {
    return typeCode == (int) typeCode && ordinal == (int) ordinal
        ? find(new WireDevice((int) typeCode, (int) ordinal))
        : -1;
  }

  @Override
  public WorkerPool workers() {
    return WorkerPool.shared();
  }

  @Override
  public void invoke(@Nullable Object callee, CallArgs args, CallResult result) {
    if (!(callee instanceof PackedFunc function)) {
      throw new CallException(
              ErrorKind.TYPE,
              "only a function can be called here, but the value is " + TypeKeys.describe(callee))
          .withTvmMessage("Function expects a closure or ffi::Function ");
    }
    function.call(args.contextOrNull() != null ? args : CallArgs.of(this, args.toArray()), result);
  }

  @Override
  public Optional<PackedFunc> findFunction(String name) {
    return functions.apply(name);
  }

  @Override
  public <T> T attachment(Class<T> key, Supplier<? extends T> factory) {
    return key.cast(attachments.computeIfAbsent(key, _ -> factory.get()));
  }

  @Override
  public void close() {
    Throwable failure = null;
    List<AutoCloseable> all = new ArrayList<>();
    attachments
        .values()
        .forEach(
            value -> {
              if (value instanceof AutoCloseable closeable) {
                all.add(closeable);
              }
            });
    for (Stream stream : streams) {
      if (stream != null) {
        all.add(stream);
      }
    }
    all.addAll(allocators);
    all.addAll(scoped);
    for (AutoCloseable closeable : all) {
      try {
        closeable.close();
      } catch (Exception e) {
        failure = FirstFailure.of(failure, e);
      }
    }
    FirstFailure.raise(failure);
  }
}
