package org.relaxvm.machine.memory;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A region and the room in it. Guarded by its {@link CodeMemory}. */
final class CodeRange {
  /** The instruction that raises a trap, which fills room without code. */
  private static final byte TRAP = (byte) 0xCC;

  private final Region region;
  private final TreeMap<Long, Long> free = new TreeMap<>();
  private boolean isWritten;

  CodeRange(Region region) {
    this.region = region;
    free.put(0L, region.byteSize());
  }

  long byteSize() {
    return region.byteSize();
  }

  private static long room(long bytes) {
    long unit = CodeMemory.ALIGNMENT;
    return (Math.max(bytes, 1) + unit - 1) / unit * unit;
  }

  /** Copies code into the first room that is large enough; null if there is none. */
  @Nullable Code load(CodeMemory memory, byte[] code) {
    if (isWritten && !region.isAlwaysWritable()) {
      return null;
    }
    long room = room(code.length);
    for (Map.Entry<Long, Long> entry : free.entrySet()) {
      long offset = entry.getKey();
      long bytes = entry.getValue();
      if (bytes >= room) {
        free.remove(offset);
        if (bytes > room) {
          free.put(offset + room, bytes - room);
        }
        region.write(offset, code);
        isWritten = true;
        return new Code(memory, this, offset, region.address() + offset, code.length);
      }
    }
    return null;
  }

  /** Frees room; returns whether nothing is left in the region. */
  boolean release(long offset, long codeBytes) {
    long start = offset;
    long bytes = room(codeBytes);
    if (region.isAlwaysWritable()) {
      byte[] traps = new byte[(int) bytes];
      Arrays.fill(traps, TRAP);
      region.write(offset, traps);
    }
    Map.Entry<Long, Long> before = free.lowerEntry(start);
    if (before != null && before.getKey() + before.getValue() == start) {
      start = before.getKey();
      bytes += before.getValue();
    }
    Long after = free.remove(start + bytes);
    free.put(start, after == null ? bytes : bytes + after);
    return free.firstEntry().getValue() == region.byteSize();
  }

  void unmap() {
    region.unmap();
  }
}
