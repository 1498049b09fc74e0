package org.relaxvm.backendvulkan;

/**
 * What a stream is given to do, for messages and for profiles.
 *
 * @param kind of the work
 * @param kernel the kernel's name; empty for copies
 * @param byteSize the bytes that are copied; 0 for kernels
 */
record Command(Kind kind, String kernel, long byteSize) {
  enum Kind {
    COPY_IN,
    COPY_OUT,
    COPY_WITHIN,
    KERNEL
  }

  static Command copy(Kind kind, long byteSize) {
    return new Command(kind, "", byteSize);
  }

  static Command kernel(String name) {
    return new Command(Kind.KERNEL, name, 0);
  }

  /** What the device is to do, as {@code cannot ...} goes on. */
  @Override
  public String toString() {
    return switch (kind) {
      case COPY_IN -> "copy " + byteSize + " bytes from the host";
      case COPY_OUT -> "copy " + byteSize + " bytes to the host";
      case COPY_WITHIN -> "copy " + byteSize + " bytes within its memory";
      case KERNEL -> "launch the kernel " + kernel;
    };
  }
}
