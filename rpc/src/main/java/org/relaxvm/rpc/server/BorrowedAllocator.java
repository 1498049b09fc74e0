package org.relaxvm.rpc.server;

import org.relaxvm.api.Storage;
import org.relaxvm.api.spi.Allocator;
import org.relaxvm.api.spi.AllocatorStats;
import org.relaxvm.api.spi.Stream;

/**
 * The allocator of a session for one of its virtual machines, which closes its allocators: all
 * memory of a session counts against one budget, however many virtual machines it makes.
 */
final class BorrowedAllocator extends Allocator {
  private final Allocator session;

  BorrowedAllocator(Allocator session) {
    super(session.device());
    this.session = session;
  }

  @Override
  protected Storage doAllocate(long byteSize, long alignment, String scope, Stream stream) {
    return session.allocate(byteSize, alignment, scope, stream);
  }

  @Override
  protected void doFree(Storage storage) {
    throw new IllegalStateException("storages come back to the allocator that made them");
  }

  @Override
  public AllocatorStats stats() {
    return session.stats();
  }

  @Override
  public void trim() {
    session.trim();
  }

  /** Does nothing: the session closes its allocator. */
  @Override
  public void close() {}
}
