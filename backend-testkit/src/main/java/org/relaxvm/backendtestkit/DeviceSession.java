package org.relaxvm.backendtestkit;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Storage;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.VmContext;
import org.relaxvm.api.host.HostDevice;
import org.relaxvm.api.memory.NaiveAllocator;
import org.relaxvm.api.spi.Allocator;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.Stream;

/** One device as a call of a VM uses it: a stream, an allocator, a context. For one thread. */
final class DeviceSession implements AutoCloseable {
  private final Device device;
  private final Stream stream;
  private final Allocator allocator;
  private final VmContext context;
  private final List<Tensor> uploaded = new ArrayList<>();
  private final List<Tuple> tuples = new ArrayList<>();

  DeviceSession(Device device) {
    this.device = device;
    this.stream = device.openStream();
    this.allocator = new NaiveAllocator(device);
    this.context = new SessionContext(device, allocator, stream);
  }

  Device device() {
    return device;
  }

  Stream stream() {
    return stream;
  }

  Allocator allocator() {
    return allocator;
  }

  /** A tensor on the device with the elements, strides and offset of one on the host. */
  Tensor upload(Tensor host) {
    Storage from = host.storage();
    Storage storage = allocator.allocate(from.byteSize(), 64, "", stream);
    try {
      MemorySegment bytes = HostDevice.segmentOf(from.memory());
      device.copyIn(bytes, storage.memory(), 0, stream);
      long elementBytes = host.dtype().elementByteSize();
      try (Tensor all =
          Tensor.view(storage, 0, host.dtype(), Shape.of(from.byteSize() / elementBytes))) {
        Tensor tensor =
            all.stridedView(host.shape(), host.strides(), host.byteOffset() / elementBytes);
        uploaded.add(tensor);
        return tensor;
      }
    } finally {
      storage.release();
    }
  }

  /**
   * Calls a function in this session's context, with host tensors uploaded; returns its arguments.
   */
  @Nullable Object[] callUploaded(PackedFunc function, @Nullable Object... hostArgs) {
    @Nullable Object[] args = new Object[hostArgs.length];
    for (int i = 0; i < args.length; i++) {
      Object value = hostArgs[i];
      if (value instanceof Tensor tensor) {
        args[i] = upload(tensor);
      } else if (value instanceof Tuple tuple) {
        Object[] fields = new Object[tuple.size()];
        for (int field = 0; field < fields.length; field++) {
          fields[field] = upload((Tensor) Objects.requireNonNull(tuple.get(field)));
        }
        Tuple onDevice = Tuple.tagged(tuple.tag(), fields);
        tuples.add(onDevice);
        args[i] = onDevice;
      } else {
        args[i] = value;
      }
    }
    call(function, args);
    stream.synchronize();
    return args;
  }

  /** Calls a function in this session's context. */
  void call(PackedFunc function, @Nullable Object... args) {
    function.call(CallArgs.of(context, args), new CallResult());
  }

  /** Closes the tensors and tuples that were uploaded so far. */
  void closeTensors() {
    stream.synchronize();
    giveBack();
  }

  @Override
  public void close() {
    try {
      giveBack();
    } finally {
      allocator.close();
      stream.close();
    }
  }

  private void giveBack() {
    tuples.forEach(Tuple::close);
    tuples.clear();
    uploaded.forEach(Tensor::close);
    uploaded.clear();
  }
}
