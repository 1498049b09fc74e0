package org.relaxvm.rpc;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;
import org.relaxvm.api.DType;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.rpc.client.Handles;
import org.relaxvm.rpc.wire.TensorView;

/**
 * A tensor in memory of the server: compact and row-major. Views share the memory, which is given
 * back when all are closed, or garbage-collected. Thread-safe.
 */
public final class RemoteTensor implements AutoCloseable {
  private final RpcSession session;
  private final TensorView view;
  private final Memory memory;
  private boolean closed;

  /** Memory with as many owners as there are tensors in it. */
  static final class Memory {
    private final AtomicInteger owners = new AtomicInteger(1);
    private final Handles.Owned owned;

    /**
     * Memory of the server.
     *
     * @param free gives it back
     */
    Memory(RpcSession session, long handle, LongConsumer free) {
      this.owned = Handles.own(this, session.calls().conversation(), handle, free);
    }

    private Memory shared() {
      owners.incrementAndGet();
      return this;
    }

    private void release() {
      if (owners.decrementAndGet() == 0) {
        owned.free();
      }
    }
  }

  RemoteTensor(RpcSession session, TensorView view, Memory memory) {
    this.session = session;
    this.view = view;
    this.memory = memory;
  }

  /** The session that it belongs to. */
  public RpcSession session() {
    return session;
  }

  /** The element type. */
  public DType dtype() {
    return view.dtype();
  }

  /** The extents. */
  public Shape shape() {
    return view.shape();
  }

  /** The device of the server that holds the elements. */
  public DeviceId device() {
    return RpcSession.deviceId(view.device());
  }

  /** The bytes of all elements. */
  public long byteSize() {
    return view.dtype().byteSize(view.shape().elementCount());
  }

  /** First byte of the first element in the memory. */
  public long byteOffset() {
    return view.byteOffset();
  }

  synchronized TensorView wire() {
    if (closed) {
      throw new CallException(ErrorKind.VALUE, "this remote tensor is closed");
    }
    return view;
  }

  /** The elements in host memory; the caller closes the copy. */
  public Tensor download() {
    Tensor copy = Tensor.zeros(dtype(), shape());
    boolean done = false;
    try {
      copyTo(copy);
      done = true;
      return copy;
    } finally {
      if (!done) {
        copy.close();
      }
    }
  }

  /**
   * Copies the elements into a host tensor, which is contiguous.
   *
   * @throws CallException a {@code ValueError} when the byte sizes differ
   */
  public void copyTo(Tensor target) {
    requireSize(target.byteSize());
    session.receive(wire(), target.segment());
  }

  /**
   * Copies the elements of a host tensor, which is contiguous, into this one.
   *
   * @throws CallException a {@code ValueError} when the byte sizes differ
   */
  public void copyFrom(Tensor source) {
    requireSize(source.byteSize());
    session.send(wire(), source.segment());
  }

  /**
   * Copies the elements into another tensor of the session.
   *
   * @throws CallException a {@code ValueError} when the byte sizes differ, or the tensor is of
   *     another session
   */
  public void copyTo(RemoteTensor target) {
    requireSize(target.byteSize());
    if (target.session != session) {
      throw new CallException(
          ErrorKind.VALUE,
          "cannot copy from a tensor of "
              + session
              + " to one of "
              + target.session
              + "\n  what to do: download it, and upload it there");
    }
    session.copyWithin(wire(), target.wire());
  }

  private void requireSize(long bytes) {
    if (bytes != byteSize()) {
      throw new CallException(
              ErrorKind.VALUE,
              "a copy between tensors of " + byteSize() + " and " + bytes + " bytes")
          .withTvmMessage("TVMTensorCopyFromTo: The size in bytes must exactly match.");
    }
  }

  /**
   * A view of a part of the memory, which the caller closes.
   *
   * @param relativeOffset of its first byte from the first byte of this tensor
   * @throws CallException a {@code ValueError} when it does not fit this tensor
   */
  public RemoteTensor view(DType newDtype, Shape newShape, long relativeOffset) {
    TensorView own = wire();
    long bytes = newDtype.byteSize(newShape.elementCount());
    if (relativeOffset < 0 || bytes > byteSize() - relativeOffset) {
      throw new CallException(
          ErrorKind.VALUE,
          "a view of "
              + bytes
              + " bytes at offset "
              + relativeOffset
              + " does not fit a tensor of "
              + byteSize()
              + " bytes");
    }
    TensorView part =
        new TensorView(
            own.data(), own.device(), newDtype, newShape, own.byteOffset() + relativeOffset);
    return new RemoteTensor(session, part, memory.shared());
  }

  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    memory.release();
  }

  @Override
  public String toString() {
    return dtype().toString() + shape() + " on " + device() + " of " + session;
  }
}
