package org.relaxvm.backendcuda.driver;

/** What a program can forget to release. */
public enum HandleKind {
  /** A primary context that is held. */
  CONTEXT,
  /** Memory of a device. */
  MEMORY,
  /** Pinned memory of the host. */
  PINNED,
  /** A stream. */
  STREAM,
  /** An event. */
  EVENT,
  /** A module. */
  MODULE,
  /** A graph. */
  GRAPH
}
