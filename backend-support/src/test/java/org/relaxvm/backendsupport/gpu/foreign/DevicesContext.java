package org.relaxvm.backendsupport.gpu.foreign;

import java.util.List;
import java.util.Optional;
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
 * A VM with devices, of which each has one stream.
 *
 * @param devices all of them
 * @param streams one for each
 */
record DevicesContext(List<Device> devices, List<Stream> streams) implements VmContext {
  @Override
  public Allocator allocator(int deviceIndex) {
    throw new UnsupportedOperationException("a test has streams only");
  }

  @Override
  public Stream stream(int deviceIndex) {
    return streams.get(deviceIndex);
  }

  @Override
  public int indexOf(Device device) {
    return devices.indexOf(device);
  }

  @Override
  public WorkerPool workers() {
    throw new UnsupportedOperationException("a test has streams only");
  }

  @Override
  public void invoke(@Nullable Object callee, CallArgs args, CallResult result) {
    throw new UnsupportedOperationException("a test has streams only");
  }

  @Override
  public Optional<PackedFunc> findFunction(String name) {
    return Optional.empty();
  }

  @Override
  public <T> T attachment(Class<T> key, Supplier<? extends T> factory) {
    throw new UnsupportedOperationException("a test has streams only");
  }
}
