package org.relaxvm.api.system;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pins the threads of a pool to processors, on Linux. Thread-safe.
 *
 * <p>Rationale: docs/rationale/api.md, "Which processors are workers pinned to?"
 */
public final class ThreadAffinity {
  /** The system property: {@code true} or {@code false}. */
  public static final String SETTING = "relaxvm.cpu.pin";

  /** As many bits as any kernel has processors. */
  private static final int MASK_BYTES = 1024;

  private final Logger log = LoggerFactory.getLogger(ThreadAffinity.class);
  private final List<Integer> processors;

  /**
   * Pins thread {@code i} to the processor at index {@code i}.
   *
   * @param processors empty to pin none
   */
  private ThreadAffinity(List<Integer> processors) {
    this.processors = processors;
  }

  /**
   * The affinity of the threads of a pool: a processor for each thread if {@link #SETTING} is
   * {@code true} and the process may use as many processors. Otherwise threads are not pinned; the
   * log has the reason.
   */
  public static ThreadAffinity ofPool(int threads) {
    ThreadAffinity none = new ThreadAffinity(List.of());
    if (!System.getProperty(SETTING, "false").equals("true") || threads == 1) {
      return none;
    }
    if (!LinuxCalls.areAllowed()) {
      none.log.warn(
          "-D{}=true has no effect: {}",
          SETTING,
          LinuxCalls.isLinux()
              ? "the JVM was started without --enable-native-access=ALL-UNNAMED (on the module path"
                  + " org.relaxvm.api)"
              : "threads are pinned on Linux only");
      return none;
    }
    // A thread inherits the affinity of the one that starts it, which may be a pinned worker. The
    // first thread of the process is never one.
    BitSet allowed = ofThread((int) ProcessHandle.current().pid());
    if (threads > allowed.cardinality()) {
      none.log.warn(
          "-D{}=true has no effect on a pool of {} threads: the process may use {} processors {}",
          SETTING,
          threads,
          allowed.cardinality(),
          allowed);
      return none;
    }
    return new ThreadAffinity(allowed.stream().limit(threads).boxed().toList());
  }

  /**
   * Pins the calling thread to its processor, if threads are pinned.
   *
   * @param thread its index in the pool
   */
  public void pin(int thread) {
    if (processors.isEmpty()) {
      return;
    }
    int processor = processors.get(thread);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment mask = arena.allocate(MASK_BYTES);
      mask.set(JAVA_BYTE, processor / 8, (byte) (1 << (processor % 8)));
      int error = LinuxCalls.setAffinity(mask);
      if (error != 0) {
        log.warn(
            "cannot pin worker {} to processor {}: sched_setaffinity failed with errno {}",
            thread,
            processor,
            error);
      }
    }
  }

  /**
   * The processors that a thread may use.
   *
   * @param thread its number in the system; 0 is the calling thread
   * @return none if the system does not tell
   */
  static BitSet ofThread(int thread) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment mask = arena.allocate(MASK_BYTES);
      int error = LinuxCalls.affinity(thread, mask);
      return error == 0 ? BitSet.valueOf(mask.toArray(JAVA_BYTE)) : new BitSet();
    }
  }
}
