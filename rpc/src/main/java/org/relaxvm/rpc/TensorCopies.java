package org.relaxvm.rpc;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.rpc.error.RpcException;
import org.relaxvm.rpc.wire.TensorView;

/**
 * Copies between memory here and on the server, which are sent from and received into that memory.
 * Source: docs/spec/rpc-protocol.md, section 6.
 */
final class TensorCopies {
  private static final String PACKET_SIZE_FUNCTION = "tvm.rpc.server.GetCRTMaxPacketSize";

  /** Length, code, data, device, rank and data type; offset and size. */
  private static final int FIXED_BYTES = 8 + 4 + 8 + 8 + 4 + 4 + 8 + 8;

  private final RpcSession session;

  /** The limit of a server that has one; 0 while none is known. */
  private volatile long knownLimit;

  TensorCopies(RpcSession session) {
    this.session = session;
  }

  /** A copy of one block. */
  private interface BlockCopy {
    void copy(TensorView remote, MemorySegment local);
  }

  /** Copies all bytes of a segment to the memory of a tensor, and waits until they are there. */
  void send(TensorView target, MemorySegment source) {
    inBlocks(target, source, session.calls()::copyTo);
    session.calls().synchronize(target.device());
  }

  /** Fills a segment with bytes from the memory of a tensor. */
  void receive(TensorView source, MemorySegment target) {
    inBlocks(source, target, session.calls()::copyFrom);
  }

  private void inBlocks(TensorView remote, MemorySegment local, BlockCopy copy) {
    long size = local.byteSize();
    long block = blockBytes(remote, size);
    for (long at = 0; at < size; at += block) {
      TensorView part =
          new TensorView(
              remote.data(),
              remote.device(),
              remote.dtype(),
              remote.shape(),
              remote.byteOffset() + at);
      copy.copy(part, local.asSlice(at, Math.min(block, size - at)));
    }
  }

  private long blockBytes(TensorView remote, long size) {
    long limit = packetLimit();
    if (limit == 0) {
      return Math.max(1, size);
    }
    long room = limit - FIXED_BYTES - (long) Long.BYTES * remote.shape().rank();
    if (room <= 0) {
      throw new RpcException(
          ErrorKind.VALUE,
          session.peer()
              + " takes packets of at most "
              + limit
              + " bytes, which is too little to copy a tensor of "
              + remote.shape().rank()
              + " dimensions");
    }
    return room;
  }

  /**
   * Small servers bound their packets. The others are asked before each copy, as Apache TVM does.
   */
  private long packetLimit() {
    if (knownLimit > 0) {
      return knownLimit;
    }
    Optional<RemoteFunction> function = session.function(PACKET_SIZE_FUNCTION);
    if (function.isEmpty()) {
      return 0;
    }
    try (RemoteFunction size = function.get()) {
      knownLimit = size.call() instanceof Long bytes ? Math.max(0, bytes) : 0;
    }
    return knownLimit;
  }
}
