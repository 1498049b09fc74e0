package org.relaxvm.rpc;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.rpc.client.Handles;
import org.relaxvm.rpc.wire.OpaquePointer;
import org.relaxvm.rpc.wire.PacketCode;

/**
 * An object that stays on the server: a shape, a tuple, a map, a closure. It can be an argument of
 * calls in the same session.
 *
 * <p>Closing it releases its handle; a forgotten one is released after it was garbage-collected.
 * Closing the session makes it unusable. Thread-safe: calls that use it end first.
 */
public sealed class RemoteObject implements AutoCloseable permits RemoteFunction, RemoteModule {
  private final RpcSession session;
  private final long handle;
  private final int typeIndex;
  private final Handles.Hold hold;

  RemoteObject(RpcSession session, long handle, int typeIndex) {
    this.session = session;
    this.handle = handle;
    this.typeIndex = typeIndex;
    this.hold =
        Handles.own(this, session.calls(), PacketCode.FREE_HANDLE, new OpaquePointer(handle));
  }

  /** The session that it belongs to. */
  public final RpcSession session() {
    return session;
  }

  /** The number of its type on the server. */
  public final int typeIndex() {
    return typeIndex;
  }

  /**
   * A copy of the object in this process, by its JSON graph: objects of types that are declared
   * here, arrays, maps and shapes. Tensors in it are copied.
   *
   * @throws CallException a {@code TypeError} for a function or a module
   * @throws org.relaxvm.rpc.error.RemoteCallException for another object that has no text, such as
   *     a closure
   * @throws org.relaxvm.api.error.MalformedFileException for an object of a type that is unknown
   *     here, with its key
   */
  public final @Nullable Object fetch() {
    return session.objects().fetch(this);
  }

  /** The handle, which stays valid until {@link #endUse}. */
  final long use() {
    if (!hold.use()) {
      throw new CallException(
          ErrorKind.VALUE, "this " + describe() + " is closed: it cannot be used any more");
    }
    return handle;
  }

  final void endUse() {
    hold.endUse();
  }

  String describe() {
    return "remote object";
  }

  @Override
  public void close() {
    hold.close();
  }

  @Override
  public String toString() {
    return describe() + " on " + session;
  }
}
