package org.relaxvm.rpc.wire;

import java.util.Optional;

/**
 * What a packet is. Source: docs/spec/rpc-protocol.md, section 2.
 *
 * <p>Codes from {@link #GET_GLOBAL_FUNC} on are system calls: a packed sequence each, answered with
 * one value.
 */
public enum PacketCode {
  NONE,
  SHUTDOWN,
  INIT_SERVER,
  CALL_FUNC,
  RETURN,
  EXCEPTION,
  COPY_FROM_REMOTE,
  COPY_TO_REMOTE,
  COPY_ACK,
  GET_GLOBAL_FUNC,
  FREE_HANDLE,
  DEV_SET_DEVICE,
  DEV_GET_ATTR,
  DEV_ALLOC_DATA,
  DEV_FREE_DATA,
  DEV_STREAM_SYNC,
  COPY_AMONG_REMOTE,
  DEV_ALLOC_DATA_WITH_SCOPE,
  DEV_CREATE_STREAM,
  DEV_FREE_STREAM,
  DEV_SET_STREAM,
  DEV_GET_CURRENT_STREAM;

  private static final PacketCode[] ALL = values();

  /** The number on the wire. */
  public int code() {
    return ordinal();
  }

  /** The code of a number, or empty when the protocol has none. */
  public static Optional<PacketCode> of(int code) {
    return code >= 0 && code < ALL.length ? Optional.of(ALL[code]) : Optional.empty();
  }

  /** Whether this is a system call. */
  public boolean isSystemCall() {
    return ordinal() >= GET_GLOBAL_FUNC.ordinal();
  }
}
