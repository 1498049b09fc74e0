package org.relaxvm.rpc;

import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.Arrays;
import org.relaxvm.api.DType;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.rpc.client.Handles;
import org.relaxvm.rpc.error.RemoteCallException;
import org.relaxvm.rpc.error.RpcException;
import org.relaxvm.rpc.wire.OpaquePointer;
import org.relaxvm.rpc.wire.PacketCode;
import org.relaxvm.rpc.wire.TensorView;

/**
 * A tensor in memory of the server: compact and row-major. Views share the memory, which is
 * released when all are closed, or garbage-collected, and no request uses it. Thread-safe.
 */
public final class RemoteTensor implements AutoCloseable {
  private final RpcSession session;
  private final TensorView view;
  private final Handles.Hold hold;

  /** A tensor in memory that this client took; it is released with the system call for memory. */
  private RemoteTensor(RpcSession session, TensorView view) {
    this.session = session;
    this.view = view;
    this.hold =
        Handles.own(
            this,
            session.calls(),
            PacketCode.DEV_FREE_DATA,
            view.device(),
            new OpaquePointer(view.data()));
  }

  /** A tensor that a call gave. */
  private RemoteTensor(RpcSession session, TensorView view, long object) {
    this.session = session;
    this.view = view;
    this.hold =
        Handles.own(this, session.calls(), PacketCode.FREE_HANDLE, new OpaquePointer(object));
  }

  /** A view of the memory of another tensor. */
  private RemoteTensor(RemoteTensor whole, TensorView view) {
    this.session = whole.session;
    this.view = view;
    Handles.Hold shared = whole.hold.share(this);
    if (shared == null) {
      throw closed();
    }
    this.hold = shared;
  }

  static RemoteTensor allocated(RpcSession session, TensorView wanted, long data) {
    return new RemoteTensor(
        session, new TensorView(data, wanted.device(), wanted.dtype(), wanted.shape(), 0));
  }

  static RemoteTensor returned(RpcSession session, TensorView view, long object) {
    return new RemoteTensor(session, view, object);
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
    return SessionValues.deviceId(view.device());
  }

  /** The bytes of all elements. */
  public long byteSize() {
    return view.dtype().byteSize(view.shape().elementCount());
  }

  /** First byte of the first element in the memory. */
  public long byteOffset() {
    return view.byteOffset();
  }

  /** The tensor as it travels; its memory stays until {@link #endUse}. */
  TensorView use() {
    if (!hold.use()) {
      throw closed();
    }
    return view;
  }

  void endUse() {
    hold.endUse();
  }

  private static CallException closed() {
    return new CallException(
        ErrorKind.VALUE, "this remote tensor is closed: it cannot be used any more");
  }

  /**
   * The elements in host memory, after all work of the device; the caller closes the copy.
   *
   * @throws RemoteCallException when the server cannot copy
   * @throws RpcException when the connection fails
   */
  public Tensor download() {
    Tensor copy = Tensor.zeros(dtype(), shape());
    boolean done = false;
    try {
      copyTo(copy);
      session.synchronize(device());
      done = true;
      return copy;
    } finally {
      if (!done) {
        copy.close();
      }
    }
  }

  /**
   * Copies the elements into a host tensor, which is contiguous: they are received into its memory.
   *
   * @throws CallException a {@code ValueError} when the byte sizes differ, or the target is not
   *     contiguous or not writable
   */
  public void copyTo(Tensor target) {
    requireSize(target.byteSize());
    MemorySegment memory = contiguous(target);
    if (memory.isReadOnly()) {
      throw new CallException(
          ErrorKind.VALUE, "the target of the copy is a constant: it cannot be written");
    }
    TensorView source = use();
    try {
      session.copies().receive(source, memory);
    } finally {
      endUse();
      Reference.reachabilityFence(target);
    }
  }

  /**
   * Copies the elements of a host tensor, which is contiguous, into this one: they are sent from
   * its memory.
   *
   * @throws CallException a {@code ValueError} when the byte sizes differ, or the source is not
   *     contiguous
   */
  public void copyFrom(Tensor source) {
    requireSize(source.byteSize());
    MemorySegment memory = contiguous(source);
    TensorView target = use();
    try {
      session.copies().send(target, memory);
    } finally {
      endUse();
      Reference.reachabilityFence(source);
    }
  }

  private static MemorySegment contiguous(Tensor local) {
    if (!local.isContiguous()) {
      throw new CallException(
          ErrorKind.VALUE,
          "a copy needs a contiguous (row-major) tensor on this side, but this one has strides "
              + Arrays.toString(local.strides())
              + " for shape "
              + local.shape());
    }
    return local.segment();
  }

  /**
   * Copies the elements into another tensor of the session, on the server.
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
    TensorView from = use();
    try {
      TensorView to = target.use();
      try {
        session.copyWithin(from, to);
      } finally {
        target.endUse();
      }
    } finally {
      endUse();
    }
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
            view.data(), view.device(), newDtype, newShape, view.byteOffset() + relativeOffset);
    return new RemoteTensor(this, part);
  }

  @Override
  public void close() {
    hold.close();
  }

  @Override
  public String toString() {
    return dtype().toString() + shape() + " on " + device() + " of " + session;
  }
}
