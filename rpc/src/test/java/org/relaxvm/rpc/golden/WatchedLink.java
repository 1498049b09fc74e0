package org.relaxvm.rpc.golden;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.relaxvm.rpc.transport.Link;

/** Passes everything on, and remembers the deadline and which bytes went through which memory. */
public final class WatchedLink implements Link {
  private final Link link;
  private final MemorySegment memory;
  private volatile long deadline = NEVER;
  private final AtomicInteger deadlines = new AtomicInteger();
  private final AtomicLong sentFromMemory = new AtomicLong();
  private final AtomicLong receivedIntoMemory = new AtomicLong();

  /** Watches the use of some memory. */
  public WatchedLink(Link link, MemorySegment memory) {
    this.link = link;
    this.memory = memory;
  }

  /** The deadline that applies now. */
  public long currentDeadline() {
    return deadline;
  }

  /** How many deadlines were set. */
  public int deadlineCount() {
    return deadlines.get();
  }

  /** The bytes that were sent from the memory itself. */
  public long sentFromMemory() {
    return sentFromMemory.get();
  }

  /** The bytes that were received into the memory itself. */
  public long receivedIntoMemory() {
    return receivedIntoMemory.get();
  }

  private boolean isInMemory(ByteBuffer buffer) {
    long at = buffer.isDirect() ? MemorySegment.ofBuffer(buffer).address() : 0;
    return at >= memory.address() && at < memory.address() + memory.byteSize();
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    boolean watched = isInMemory(target);
    int count = link.read(target);
    if (watched) {
      receivedIntoMemory.addAndGet(count);
    }
    return count;
  }

  @Override
  public void write(ByteBuffer first, ByteBuffer second) throws IOException {
    if (second.hasRemaining() && isInMemory(second)) {
      sentFromMemory.addAndGet(second.remaining());
    }
    link.write(first, second);
  }

  @Override
  public void deadline(long nanoTime) {
    deadline = nanoTime;
    deadlines.incrementAndGet();
    link.deadline(nanoTime);
  }

  @Override
  public String peer() {
    return link.peer();
  }

  @Override
  public boolean isClosed() {
    return link.isClosed();
  }

  @Override
  public void close() {
    link.close();
  }
}
