package org.relaxvm.benchmarks;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.VmContext;
import org.relaxvm.api.host.HostDevice;
import org.relaxvm.api.memory.PooledAllocator;
import org.relaxvm.api.parallel.WorkerPool;
import org.relaxvm.api.spi.Allocator;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.Stream;

/**
 * All that kernels of the host need of a VM: threads, and memory of the host.
 *
 * @param workers borrowed
 * @param allocator of scratch memory
 */
public record KernelContext(WorkerPool workers, Allocator allocator) implements VmContext {
  /** With an allocator that keeps memory for the next call. */
  public KernelContext(WorkerPool workers) {
    this(workers, new PooledAllocator(HostDevice.INSTANCE));
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
    throw none();
  }

  @Override
  public Optional<PackedFunc> findFunction(String name) {
    return Optional.empty();
  }

  @Override
  public <T> T attachment(Class<T> key, Supplier<? extends T> factory) {
    throw none();
  }

  private static UnsupportedOperationException none() {
    return new UnsupportedOperationException("kernels are called without a VM here");
  }
}
