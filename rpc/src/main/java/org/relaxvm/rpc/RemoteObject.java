package org.relaxvm.rpc;

import org.relaxvm.rpc.client.Handles;

/**
 * An object that stays on the server: a shape, a tuple, a map, a closure. It can be an argument of
 * calls in the same session.
 *
 * <p>Closing it gives its handle back; a forgotten one is given back after it was garbage-collected.
 * Thread-safe.
 */
public sealed class RemoteObject implements AutoCloseable permits RemoteFunction, RemoteModule {
  private final RpcSession session;
  private final long handle;
  private final int typeIndex;
  private final Handles.Owned owned;

  RemoteObject(RpcSession session, long handle, int typeIndex) {
    this.session = session;
    this.handle = handle;
    this.typeIndex = typeIndex;
    this.owned =
        Handles.own(this, session.calls().conversation(), handle, session.calls()::free);
  }

  /** The session that it belongs to. */
  public final RpcSession session() {
    return session;
  }

  /** The number of its type on the server. */
  public final int typeIndex() {
    return typeIndex;
  }

  final long handle() {
    if (owned.isFreed()) {
      throw new RpcDisconnectedException("this " + describe() + " is closed");
    }
    return handle;
  }

  String describe() {
    return "remote object";
  }

  @Override
  public void close() {
    owned.free();
  }

  @Override
  public String toString() {
    return describe() + " on " + session;
  }
}
