package org.relaxvm.tir.stmt;

import java.util.Optional;

/** An axis of the threads of a device. */
public enum ThreadAxis {
  BLOCK_X("blockIdx.x"),
  BLOCK_Y("blockIdx.y"),
  BLOCK_Z("blockIdx.z"),
  THREAD_X("threadIdx.x"),
  THREAD_Y("threadIdx.y"),
  THREAD_Z("threadIdx.z"),
  /** A loop that becomes part of another axis. */
  VIRTUAL("vthread");

  private final String text;

  ThreadAxis(String text) {
    this.text = text;
  }

  /** As the text form writes it, such as {@code blockIdx.x}. */
  public String text() {
    return text;
  }

  /** The axis of a text. */
  public static Optional<ThreadAxis> of(String text) {
    for (ThreadAxis axis : values()) {
      if (axis.text.equals(text)) {
        return Optional.of(axis);
      }
    }
    return Optional.empty();
  }
}
