package org.relaxvm.integrationtests.events;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import jdk.jfr.Recording;
import jdk.jfr.ValueDescriptor;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/** Events of one kind that were emitted while something was done. */
public final class Recorded {
  private static final Set<String> OF_EVERY_EVENT =
      Set.of("startTime", "duration", "eventThread", "stackTrace");

  private Recorded() {}

  /** Records with this kind of event switched on, whatever its default. */
  static List<RecordedEvent> events(String name, Runnable action) throws IOException {
    try (Recording recording = new Recording()) {
      recording.enable(name);
      return during(recording, name, action);
    }
  }

  /** The events of a kind that a recording gets of an action. */
  static List<RecordedEvent> during(Recording recording, String name, Runnable action)
      throws IOException {
    recording.start();
    action.run();
    recording.stop();
    Path file = Files.createTempFile("recorded", ".jfr");
    try {
      recording.dump(file);
      return RecordingFile.readAllEvents(file).stream()
          .filter(event -> event.getEventType().getName().equals(name))
          .toList();
    } finally {
      Files.delete(file);
    }
  }

  /** The content of events without times, threads and stacks: {@code {field=value, ...}} each. */
  public static List<String> contents(String name, Runnable action) throws IOException {
    return events(name, action).stream().map(Recorded::content).toList();
  }

  static String content(RecordedEvent event) {
    TreeMap<String, Object> fields = new TreeMap<>();
    for (ValueDescriptor field : event.getFields()) {
      if (!OF_EVERY_EVENT.contains(field.getName())) {
        fields.put(field.getName(), event.getValue(field.getName()));
      }
    }
    return fields.toString();
  }
}
