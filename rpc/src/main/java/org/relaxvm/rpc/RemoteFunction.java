package org.relaxvm.rpc;

import org.jspecify.annotations.Nullable;
import org.relaxvm.rpc.error.RemoteCallException;
import org.relaxvm.rpc.error.RpcException;
import org.relaxvm.rpc.wire.TypeIndex;

/** A function on the server. Thread-safe. */
public final class RemoteFunction extends RemoteObject {
  private final String name;

  RemoteFunction(RpcSession session, long handle, String name) {
    super(session, handle, TypeIndex.FUNCTION);
    this.name = name;
  }

  /**
   * Calls the function.
   *
   * @param args boxed numbers and booleans, {@link String}, {@code byte[]}, {@link
   *     org.relaxvm.api.DType}, {@link org.relaxvm.api.DeviceId} of the server, and {@link
   *     RemoteTensor}, {@link RemoteModule} and {@link RemoteObject} of the same session, objects
   *     of types with a key (docs/objects.md), of which the server gets a copy, or null. The
   *     protocol carries no functions, shapes, tuples and local tensors
   * @return the result: null, {@link Long}, {@link Boolean}, {@link Double}, {@link String}, {@code
   *     byte[]}, {@link org.relaxvm.api.DType}, {@link org.relaxvm.api.DeviceId}, {@link
   *     RemoteTensor}, {@link RemoteFunction}, {@link RemoteModule} or {@link RemoteObject}. What
   *     is {@link AutoCloseable} is closed by the caller. A device whose number has no name is of
   *     the kind {@code type-<number>}; a pointer is an opaque value that can only be passed back
   * @throws RemoteCallException what the function raised
   * @throws org.relaxvm.api.error.CallException a {@code TypeError} for an argument that cannot be
   *     sent, a {@code ValueError} for one that is closed or of another session; the function is
   *     not called then
   * @throws RpcException when the connection fails
   */
  public @Nullable Object call(@Nullable Object... args) {
    return session().call(this, args);
  }

  @Override
  String describe() {
    return name.isEmpty() ? "remote function" : "remote function " + name;
  }
}
