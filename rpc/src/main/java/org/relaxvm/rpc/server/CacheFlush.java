package org.relaxvm.rpc.server;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;

/**
 * {@code cache_flush_cpu_non_first_arg}: removes tensors from the CPU's caches before a call is
 * timed. The JVM has no instruction for one cache line, so memory larger than the caches is written
 * instead, which removes everything else, too.
 */
final class CacheFlush {
  private static final long BYTES = 64L << 20;
  private static final int LINE_BYTES = 64;

  private CacheFlush() {}

  static void call(CallArgs args, CallResult result) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(BYTES);
      for (long at = 0; at < BYTES; at += LINE_BYTES) {
        memory.set(ValueLayout.JAVA_BYTE, at, (byte) 1);
      }
    }
    result.setNull();
  }
}
