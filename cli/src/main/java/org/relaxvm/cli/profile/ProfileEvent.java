package org.relaxvm.cli.profile;

/** Something that was recorded. Times are in nanoseconds since the first event. */
sealed interface ProfileEvent {
  /** When it began. */
  Time time();

  /**
   * When and where.
   *
   * @param start in nanoseconds since the first event
   * @param nanos how long it took; 0 for what has no duration
   * @param thread id of the Java thread; meaningless for what a device did
   */
  record Time(long start, long nanos, long thread) {
    long end() {
      return start + nanos;
    }

    boolean contains(Time other) {
      return start <= other.start && other.start <= end();
    }
  }

  /** A part of the profiled run. */
  record Phase(Time time, String name) implements ProfileEvent {}

  /** A call of the VM from outside. */
  record Call(Time time, String function, long instructions, boolean failed)
      implements ProfileEvent {}

  /** A packed function that an instruction called. */
  record Kernel(Time time, String function, String device, String arguments)
      implements ProfileEvent {}

  /** A kernel by the clock of its device; -1 where something is not known. */
  record DeviceKernel(Time time, String function, String device, long bytes, long operations)
      implements ProfileEvent {}

  /** A copy as the host saw it. */
  record Copy(Time time, String from, String to, String kind, long bytes, boolean staged)
      implements ProfileEvent {}

  /** A copy by the clock of the device that did it. */
  record DeviceCopy(Time time, String device, String kind, long bytes) implements ProfileEvent {}

  /** A block of memory was handed out. */
  record Allocation(
      Time time,
      String device,
      long requestedBytes,
      long blockBytes,
      boolean reused,
      long heldBytes)
      implements ProfileEvent {}

  /** A kernel was compiled, or taken from a cache. */
  record Build(Time time, String kernel, String device, boolean cached) implements ProfileEvent {}

  /** Something slower than asked for was used. */
  record Fallback(Time time, String wanted, String used, String reason) implements ProfileEvent {}
}
