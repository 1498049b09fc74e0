package org.relaxvm.backendcuda;

import org.jspecify.annotations.Nullable;
import org.relaxvm.backendcuda.program.LaunchShape;

/**
 * What a stream is given to do, for messages and for profiles.
 *
 * @param kind of the work
 * @param kernel the name of the kernel or of what a GEMM is part of; empty for copies and
 *     recordings
 * @param shape of a kernel's launch; null for others
 * @param byteSize the bytes that are copied; 0 for others
 */
record Command(Kind kind, String kernel, @Nullable LaunchShape shape, long byteSize) {
  enum Kind {
    COPY_IN,
    COPY_OUT,
    COPY_WITHIN,
    COPY_PEER,
    KERNEL,
    GEMM,
    RECORDING
  }

  /** All of a recording. */
  static final Command RECORDING = new Command(Kind.RECORDING, "", null, 0);

  static Command copy(Kind kind, long byteSize) {
    return new Command(kind, "", null, byteSize);
  }

  static Command kernel(String name, LaunchShape shape) {
    return new Command(Kind.KERNEL, name, shape, 0);
  }

  /** A GEMM by a library. */
  static Command gemm(String name) {
    return new Command(Kind.GEMM, name, null, 0);
  }

  /** Whether it can be part of a recording, which needs nothing of the host. */
  boolean canBeRecorded() {
    return kind == Kind.KERNEL || kind == Kind.GEMM || kind == Kind.COPY_WITHIN;
  }

  /** What the device is to do, as {@code cannot ...} goes on. */
  @Override
  public String toString() {
    return switch (kind) {
      case COPY_IN -> "copy " + byteSize + " bytes from the host";
      case COPY_OUT -> "copy " + byteSize + " bytes to the host";
      case COPY_WITHIN -> "copy " + byteSize + " bytes within its memory";
      case COPY_PEER -> "copy " + byteSize + " bytes from another device";
      case KERNEL -> "launch the kernel " + kernel + " with " + shape;
      case GEMM -> "multiply matrices for " + kernel;
      case RECORDING -> "do recorded work";
    };
  }
}
