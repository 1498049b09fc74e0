package org.relaxvm.benchmarks;

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
import org.relaxvm.api.parallel.WorkerPool;
import org.relaxvm.api.spi.Allocator;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.Stream;

/**
 * All that kernels of one device need of a VM.
 *
 * @param allocator borrowed
 * @param stream borrowed; kernels are enqueued there
 * @param attachments what functions keep in the context
 */
record DeviceContext(
    Device device, Allocator allocator, Stream stream, Map<Class<?>, Object> attachments)
    implements VmContext {
  DeviceContext(Device device, Allocator allocator, Stream stream) {
    this(device, allocator, stream, new ConcurrentHashMap<>());
  }

  @Override
  public List<Device> devices() {
    return List.of(device);
  }

  @Override
  public Allocator allocator(int deviceIndex) {
    return allocator;
  }

  @Override
  public Stream stream(int deviceIndex) {
    return stream;
  }

  @Override
  public int indexOf(Device candidate) {
    return device.equals(candidate) ? 0 : -1;
  }

  @Override
  public WorkerPool workers() {
    return WorkerPool.shared();
  }

  @Override
  public void invoke(@Nullable Object callee, CallArgs args, CallResult result) {
    throw new UnsupportedOperationException("kernels are called without a VM here");
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
