package org.relaxvm.tir.stmt;

/** How the iterations of a loop are executed. */
public enum ForKind {
  /** Serially. */
  SERIAL("serial"),
  /** In any order, on several threads. */
  PARALLEL("parallel"),
  /** As vector lanes; iterations must be independent. */
  VECTORIZED("vectorized"),
  /** Serially, unrolled. */
  UNROLLED("unroll"),
  /** On device threads: the counter is the thread's index along {@link For#thread()}. */
  THREAD_BINDING("thread_binding");

  private final String text;

  ForKind(String text) {
    this.text = text;
  }

  /** As the text form writes it. */
  public String text() {
    return text;
  }

  /** Whether iterations may run concurrently, so that none may read what another one writes. */
  public boolean isConcurrent() {
    return this == PARALLEL || this == VECTORIZED || this == THREAD_BINDING;
  }
}
