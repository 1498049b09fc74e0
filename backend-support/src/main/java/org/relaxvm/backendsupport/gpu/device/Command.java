package org.relaxvm.backendsupport.gpu.device;

import org.relaxvm.backendsupport.profile.DeviceTimeline;
import org.relaxvm.backendsupport.profile.TimedWork;

/**
 * Work of a stream, for messages and profiles.
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

  /** The direction of a copy, as events name it. */
  public String direction() {
    return switch (kind) {
      case COPY_IN -> "host to device";
      case COPY_OUT -> "device to host";
      case COPY_WITHIN, KERNEL -> "within device";
    };
  }

  /** Records the work in a timeline. */
  public void addTo(DeviceTimeline timeline, long submittedNanos, TimedWork work) {
    if (kind == Kind.KERNEL) {
      timeline.kernel(kernel, -1, -1, submittedNanos, work);
    } else {
      timeline.copy(direction(), byteSize, submittedNanos, work);
    }
  }
}
