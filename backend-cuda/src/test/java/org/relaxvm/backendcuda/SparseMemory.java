package org.relaxvm.backendcuda;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.relaxvm.backendcuda.driver.CudaStatusException;

/**
 * Memory of devices, of which only the pages are there that something was written to. Who uses an
 * address outside of its blocks gets what a device gives.
 */
final class SparseMemory {
  static final int ILLEGAL_ADDRESS = 700;

  private static final int PAGE_BYTES = 1 << 16;

  private final TreeMap<Long, Long> blocks = new TreeMap<>();
  private final Map<Long, byte[]> pages = new HashMap<>();
  private long next;

  SparseMemory(long first) {
    this.next = first;
  }

  /** A block at a multiple of 512, with a gap before the next one. */
  synchronized long allocate(long byteSize) {
    long address = next;
    next += (byteSize + 1024) & -512;
    blocks.put(address, byteSize);
    return address;
  }

  synchronized void free(long address) {
    if (blocks.remove(address) == null) {
      throw new AssertionError("no block begins at " + address);
    }
  }

  synchronized void write(long address, MemorySegment source) {
    check(address, source.byteSize());
    for (long at = 0; at < source.byteSize(); ) {
      int in = (int) ((address + at) % PAGE_BYTES);
      int count = (int) Math.min(PAGE_BYTES - in, source.byteSize() - at);
      byte[] page = pages.computeIfAbsent((address + at) / PAGE_BYTES, _ -> new byte[PAGE_BYTES]);
      MemorySegment.copy(source, ValueLayout.JAVA_BYTE, at, page, in, count);
      at += count;
    }
  }

  synchronized void read(long address, MemorySegment target) {
    check(address, target.byteSize());
    for (long at = 0; at < target.byteSize(); ) {
      int in = (int) ((address + at) % PAGE_BYTES);
      int count = (int) Math.min(PAGE_BYTES - in, target.byteSize() - at);
      byte[] page = pages.getOrDefault((address + at) / PAGE_BYTES, new byte[PAGE_BYTES]);
      MemorySegment.copy(page, in, target, ValueLayout.JAVA_BYTE, at, count);
      at += count;
    }
  }

  float floatAt(long address) {
    MemorySegment value = MemorySegment.ofArray(new byte[Float.BYTES]);
    read(address, value);
    return value.get(ValueLayout.JAVA_FLOAT_UNALIGNED, 0);
  }

  void setFloat(long address, float value) {
    MemorySegment bytes = MemorySegment.ofArray(new byte[Float.BYTES]);
    bytes.set(ValueLayout.JAVA_FLOAT_UNALIGNED, 0, value);
    write(address, bytes);
  }

  private void check(long address, long byteSize) {
    Map.Entry<Long, Long> block = blocks.floorEntry(address);
    if (block == null || address + byteSize > block.getKey() + block.getValue()) {
      throw CudaStatusException.of("a kernel or a copy", ILLEGAL_ADDRESS, "");
    }
  }
}
