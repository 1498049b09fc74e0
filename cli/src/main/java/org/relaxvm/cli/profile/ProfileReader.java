package org.relaxvm.cli.profile;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;
import org.relaxvm.cli.profile.ProfileEvent.Time;

/** Reads a flight recording. */
final class ProfileReader {
  private static final String PREFIX = "relaxvm.";

  /** What is recorded. */
  static final List<String> EVENTS =
      List.of(
          "relaxvm.Phase",
          "relaxvm.Call",
          "relaxvm.Kernel",
          "relaxvm.DeviceKernel",
          "relaxvm.Copy",
          "relaxvm.DeviceCopy",
          "relaxvm.Allocation",
          "relaxvm.KernelBuild",
          "relaxvm.Fallback");

  private final Instant first;
  private final long clockOffset;

  private ProfileReader(Instant first, long clockOffset) {
    this.first = first;
    this.clockOffset = clockOffset;
  }

  /** The events of a recording. */
  static Profile read(Path file, List<String> hosts) throws IOException {
    List<RecordedEvent> recorded =
        RecordingFile.readAllEvents(file).stream()
            .filter(event -> EVENTS.contains(event.getEventType().getName()))
            .toList();
    Instant first =
        recorded.stream().map(RecordedEvent::getStartTime).min(Instant::compareTo).orElse(null);
    if (first == null) {
      return new Profile(List.of(), Map.of(), hosts);
    }
    ProfileReader reader = new ProfileReader(first, clockOffset(recorded, first));
    List<ProfileEvent> events = new ArrayList<>();
    Map<Long, String> threads = new LinkedHashMap<>();
    for (RecordedEvent event : recorded) {
      events.add(reader.event(event));
      RecordedThread thread = event.getThread();
      if (thread != null) {
        threads.putIfAbsent(thread.getId(), name(thread));
      }
    }
    return new Profile(events, threads, hosts);
  }

  /**
   * What to add to a value of System.nanoTime(). A thread may have been stopped between reading it
   * and emitting the event, so the smallest difference is the most exact.
   */
  private static long clockOffset(List<RecordedEvent> recorded, Instant first) {
    return recorded.stream()
        .filter(event -> event.hasField("emitted"))
        .mapToLong(event -> nanos(first, event.getStartTime()) - event.getLong("emitted"))
        .min()
        .orElse(0);
  }

  private static String name(RecordedThread thread) {
    String name = thread.getJavaName();
    return name == null || name.isEmpty() ? "thread " + thread.getId() : name;
  }

  private ProfileEvent event(RecordedEvent event) {
    Time time =
        event.hasField("emitted")
            ? new Time(event.getLong("start") + clockOffset, event.getLong("time"), 0)
            : new Time(
                nanos(first, event.getStartTime()),
                event.getDuration().toNanos(),
                threadId(event.getThread()));
    return switch (event.getEventType().getName().substring(PREFIX.length())) {
      case "Phase" -> new ProfileEvent.Phase(time, event.getString("phase"));
      case "Call" ->
          new ProfileEvent.Call(
              time,
              event.getString("function"),
              event.getLong("instructions"),
              event.getBoolean("failed"));
      case "Kernel" ->
          new ProfileEvent.Kernel(
              time,
              event.getString("function"),
              event.getString("device"),
              event.getString("arguments"));
      case "DeviceKernel" ->
          new ProfileEvent.DeviceKernel(
              time,
              event.getString("function"),
              event.getString("device"),
              event.getLong("bytes"),
              event.getLong("operations"));
      case "Copy" ->
          new ProfileEvent.Copy(
              time,
              event.getString("from"),
              event.getString("to"),
              event.getString("kind"),
              event.getLong("bytes"),
              event.getBoolean("staged"));
      case "DeviceCopy" ->
          new ProfileEvent.DeviceCopy(
              time, event.getString("device"), event.getString("kind"), event.getLong("bytes"));
      case "Allocation" ->
          new ProfileEvent.Allocation(
              time,
              event.getString("device"),
              event.getLong("requestedBytes"),
              event.getLong("blockBytes"),
              event.getBoolean("reused"),
              event.getLong("heldBytes"));
      case "KernelBuild" ->
          new ProfileEvent.Build(
              time,
              event.getString("kernel"),
              event.getString("device"),
              event.getBoolean("cached"));
      default ->
          new ProfileEvent.Fallback(
              time, event.getString("wanted"), event.getString("used"), event.getString("reason"));
    };
  }

  private static long threadId(@Nullable RecordedThread thread) {
    return thread == null ? 0 : thread.getId();
  }

  private static long nanos(Instant from, Instant to) {
    return (to.getEpochSecond() - from.getEpochSecond()) * 1_000_000_000L
        + to.getNano()
        - from.getNano();
  }
}
