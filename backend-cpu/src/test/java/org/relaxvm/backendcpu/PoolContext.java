package org.relaxvm.backendcpu;

import java.util.List;
import java.util.Optional;
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

/** A VM that has worker threads and memory of the host, and nothing else. */
public record PoolContext(WorkerPool workers, Allocator allocator) implements VmContext {
  /** With an allocator that keeps nothing. */
  public PoolContext(WorkerPool workers) {
    this(workers, new NaiveAllocator(HostDevice.INSTANCE));
  }

  @Override
  public List<Device> devices() {
    return List.of();
  }

  @Override
  public Allocator allocator(int deviceIndex) {
    return allocator;
  }

  @Override
  public Stream stream(int deviceIndex) {
    return HostDevice.INSTANCE.openStream();
  }

  @Override
  public int indexOf(Device device) {
    return -1;
  }

  @Override
  public void invoke(@Nullable Object callee, CallArgs args, CallResult result) {
    throw new UnsupportedOperationException("a test has workers only");
  }

  @Override
  public Optional<PackedFunc> findFunction(String name) {
    return Optional.empty();
  }

  @Override
  public <T> T attachment(Class<T> type, Supplier<? extends T> factory) {
    throw new UnsupportedOperationException("a test has workers only");
  }
}
