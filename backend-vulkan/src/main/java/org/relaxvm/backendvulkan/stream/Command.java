package org.relaxvm.backendvulkan.stream;

/**
 * What a stream is given to do, for messages and for profiles.
 *
 * @param kind of the work
 * @param kernel the kernel's name; empty for copies
 * @param byteSize the bytes that are copied; 0 for kernels
 */
public record Command(Kind kind, String kernel, long byteSize) {
  /** What kind of work. */
  public enum Kind {
    /** Bytes from the host. */
    COPY_IN,
    /** Bytes to the host. */
    COPY_OUT,
    /** Bytes within the device. */
    COPY_WITHIN,
    /** A launch. */
    KERNEL
  }

  /** A copy of so many bytes. */
  public static Command copy(Kind kind, long byteSize) {
    return new Command(kind, "", byteSize);
  }

  /** A launch of a kernel. */
  public static Command kernel(String name) {
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
