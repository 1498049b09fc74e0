package org.relaxvm.api.events;

import jdk.jfr.FlightRecorder;

/**
 * Whether Java Flight Recorder runs, and the event that backends emit. An event class must not be
 * touched before {@link #areOn()} was true: loading the first one starts much of the recorder.
 *
 * <p>Thread-safe.
 *
 * <p>Rationale: docs/rationale/vm-core.md, "Why do events check `FlightRecorder.isInitialized()`
 * first?"
 */
public final class Events {
  // Folded by the compiler. An image that is small enough lacks the recorder.
  private static final boolean HAS_RECORDER = ModuleLayer.boot().findModule("jdk.jfr").isPresent();

  private Events() {}

  /**
   * Whether anything may be recorded: the recorder was used since this JVM started. Until then an
   * event costs the read of one field. Each kind of event can still be off by itself.
   */
  public static boolean areOn() {
    return HAS_RECORDER && FlightRecorder.isInitialized();
  }

  /**
   * Tells that something slower than what was asked for is used. Free while nobody records; a
   * caller that has to compose the texts asks {@link #areOn()} first.
   *
   * @param wanted what was asked for, such as {@code capture of a CUDA graph}
   * @param used what is done instead
   * @param reason why
   */
  public static void fallback(String wanted, String used, String reason) {
    if (areOn()) {
      FallbackEvent.emit(wanted, used, reason);
    }
  }
}
