package org.relaxvm.backendcuda;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.spi.CapturedWork;
import org.relaxvm.api.spi.Stream;
import org.relaxvm.backendcuda.context.DeviceContext;
import org.relaxvm.backendcuda.driver.Handle;
import org.relaxvm.backendsupport.gpu.device.Owned;

/** A graph of kernels and copies, until it is closed. */
final class CudaRecording implements CapturedWork, Owned {
  private final CudaDevice device;
  private final DeviceContext context;
  private final Handle.Context holder;
  private final int size;
  private final List<String> kernels;
  private final Recording recorded;
  private final Set<CudaStream> users = ConcurrentHashMap.newKeySet();
  private volatile Handle.@Nullable Graph graph;

  CudaRecording(
      CudaDevice device,
      DeviceContext context,
      Handle.Context holder,
      Handle.Graph graph,
      Recording recorded) {
    this.device = device;
    this.context = context;
    this.holder = holder;
    this.graph = graph;
    this.recorded = recorded;
    this.size = recorded.size();
    this.kernels = recorded.kernels();
  }

  @Override
  public int size() {
    return size;
  }

  /** The names of its kernels in order. */
  List<String> kernels() {
    return kernels;
  }

  @Override
  public void submit(Stream stream) {
    Handle.Graph live = graph;
    if (live == null) {
      throw new BackendException(
          ErrorKind.VALUE, "a recording of " + context.id() + " is closed: it does nothing");
    }
    CudaStream own = device.own(stream);
    own.submit(this, live);
    users.add(own);
  }

  @Override
  public synchronized void releaseHandles() {
    Handle.Graph live = graph;
    graph = null;
    if (live != null) {
      context.cuda().release(holder, live);
      recorded.giveBack();
    }
  }

  @Override
  public void close() {
    if (!context.isLost()) {
      users.forEach(CudaStream::finish);
    }
    users.clear();
    releaseHandles();
    context.disown(this);
  }
}
