package org.relaxvm.integrationtests.events;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.EventType;
import jdk.jfr.ValueDescriptor;
import org.junit.jupiter.api.Test;
import org.relaxvm.integrationtests.ProjectRoot;

/** The user guide lists the events as they are. */
class EventDocumentTest {
  private static final List<String> EVENTS =
      List.of(
          "Call",
          "Kernel",
          "DeviceKernel",
          "Copy",
          "DeviceCopy",
          "Allocation",
          "KernelBuild",
          "Fallback",
          "Leak");

  private static final Set<String> OF_EVERY_EVENT =
      Set.of("startTime", "duration", "eventThread", "stackTrace");

  @Test
  void theTablesOfTheGuideAreTheEvents() throws IOException, ClassNotFoundException {
    List<String> rows = new ArrayList<>();
    for (String name : EVENTS) {
      EventType type = type(name);
      Enabled enabled = classOf(name).getAnnotation(Enabled.class);
      rows.add(
          "| `%s` | %s | %s |"
              .formatted(
                  type.getName(),
                  enabled == null || enabled.value() ? "on" : "off",
                  type.getDescription()));
    }
    for (String name : EVENTS) {
      EventType type = type(name);
      for (ValueDescriptor field : type.getFields()) {
        if (!OF_EVERY_EVENT.contains(field.getName())) {
          assertThat(field.getLabel()).as(field.getName()).isNotEmpty();
          rows.add(
              "| `%s` | `%s` | %s |"
                  .formatted(type.getName(), field.getName(), description(field)));
        }
      }
      assertThat(type.getCategoryNames()).containsExactly("RelaxVM");
      assertThat(type.getLabel()).isEqualTo(name);
    }
    assertThat(Files.readAllLines(ProjectRoot.path().resolve("docs/user-guide.md")))
        .filteredOn(line -> line.startsWith("| `relaxvm."))
        .containsExactlyElementsOf(rows);
  }

  private static String description(ValueDescriptor field) {
    String unit =
        switch (field.getContentType()) {
          case "jdk.jfr.DataAmount" -> " (bytes)";
          case "jdk.jfr.Timespan" -> " (nanoseconds)";
          case null, default -> "";
        };
    return field.getAnnotation(Description.class).value() + unit;
  }

  private static EventType type(String name) throws ClassNotFoundException {
    return EventType.getEventType(classOf(name));
  }

  private static Class<? extends Event> classOf(String name) throws ClassNotFoundException {
    return Class.forName("org.relaxvm.api.events." + name + "Event").asSubclass(Event.class);
  }
}
