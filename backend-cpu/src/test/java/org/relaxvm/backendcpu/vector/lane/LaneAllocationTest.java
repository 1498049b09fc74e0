package org.relaxvm.backendcpu.vector.lane;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.relaxvm.backendcpu.MeasuredJvm;

/** Loops over the operations make no objects of vectors once they are compiled. */
@Timeout(60)
class LaneAllocationTest {
  private static final int ELEMENTS = 4096;
  private static final int CALLS = 200;
  private static final int ROUNDS = 200;

  @Test
  void aLoopMakesNoObjects() throws Exception {
    assertThat(MeasuredJvm.run(Measured.class)).isEqualTo("bytes in a call: 0");
  }

  /** Prints the bytes that a call took where it took the least. */
  static final class Measured {
    private Measured() {}

    public static void main(String[] arguments) {
      ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment a = arena.allocate((long) ELEMENTS * Float.BYTES, 64);
        MemorySegment out = arena.allocate(a.byteSize(), 64);
        long least = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS && least > 0; round++) {
          long before = threads.getCurrentThreadAllocatedBytes();
          for (int i = 0; i < CALLS; i++) {
            exp(a, out);
          }
          least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        System.out.println("bytes in a call: " + least / CALLS);
      }
    }

    private static void exp(MemorySegment a, MemorySegment out) {
      for (int i = 0; i < ELEMENTS; i += Lanes.FULL) {
        long at = (long) i * Float.BYTES;
        FullStores.storeFloat32(
            out,
            at,
            FloatLaneMath.exp(
                FloatLaneOps.add(FullLoads.loadFloat32(a, at), LaneConstants.broadcast(1f))));
      }
    }
  }
}
