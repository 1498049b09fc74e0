package org.relaxvm.backendcpu.vector;

/** What is known of the memory of all buffers when code is made: the more, the faster it is. */
public enum MemoryKind {
  /** Outside of the Java heap, and nobody can close it during a call: reached by address. */
  PINNED,
  /** Outside of the Java heap, and no mapped file: reached through segments of one class. */
  NATIVE,
  /** Anything that a segment can be. */
  ANY
}
