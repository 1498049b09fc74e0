package org.relaxvm.tir.stmt;

/** How the iterations of a loop follow each other. */
public enum ForKind {
  /** One after the other. */
  SERIAL("serial"),
  /** In any order, on many threads; each starts at once where the device has threads. */
  PARALLEL("parallel"),
  /** As the lanes of vectors: iterations must not depend on each other. */
  VECTORIZED("vectorized"),
  /** One after the other, written out. */
  UNROLLED("unroll"),
  /** Each on the thread of a device with that number along {@link For#thread()}. */
  THREAD_BINDING("thread_binding");

  private final String text;

  ForKind(String text) {
    this.text = text;
  }

  /** As the text form writes it. */
  public String text() {
    return text;
  }

  /** Whether iterations may run at the same time, so that none may read what another one writes. */
  public boolean isConcurrent() {
    return this == PARALLEL || this == VECTORIZED || this == THREAD_BINDING;
  }
}
