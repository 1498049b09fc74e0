package org.relaxvm.backendtestkit;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.VmContext;
import org.relaxvm.api.host.HostDevice;
import org.relaxvm.api.memory.NaiveAllocator;
import org.relaxvm.api.parallel.WorkerPool;
import org.relaxvm.api.spi.Allocator;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.Stream;

/** What a kernel sees of a call when the kit calls it: one device, then the host. */
final class SessionContext implements VmContext {
  private final Device device;
  private final Allocator allocator;
  private final Stream stream;
  private final Allocator hostAllocator = new NaiveAllocator(HostDevice.INSTANCE);
  private final Stream hostStream = HostDevice.INSTANCE.openStream();
  private final Map<Class<?>, Object> attachments = new ConcurrentHashMap<>();

  SessionContext(Device device, Allocator allocator, Stream stream) {
    this.device = device;
    this.allocator = allocator;
    this.stream = stream;
  }

  @Override
  public List<Device> devices() {
    return device.isHost() ? List.of(device) : List.of(device, HostDevice.INSTANCE);
  }

  @Override
  public Allocator allocator(int deviceIndex) {
    return isTested(deviceIndex) ? allocator : hostAllocator;
  }

  @Override
  public Stream stream(int deviceIndex) {
    return isTested(deviceIndex) ? stream : hostStream;
  }

  private boolean isTested(int deviceIndex) {
    return deviceIndex == 0 || device.isHost();
  }

  @Override
  public int indexOf(Device candidate) {
    return devices().indexOf(candidate);
  }

  @Override
  public WorkerPool workers() {
    return WorkerPool.shared();
  }

  @Override
  public void invoke(@Nullable Object callee, CallArgs args, CallResult result) {
    throw new UnsupportedOperationException("a library kernel calls no closure");
  }

  @Override
  public Optional<PackedFunc> findFunction(String name) {
    return Optional.empty();
  }

  @Override
  public <T> T attachment(Class<T> key, Supplier<? extends T> factory) {
    Object made = attachments.computeIfAbsent(key, ignored -> factory.get());
    return Objects.requireNonNull(key.cast(made));
  }
}
