package org.relaxvm.api.spi;

import java.util.List;
import java.util.Objects;

/**
 * An option that a backend declares. Immutable.
 *
 * @param name without the backend's name, such as {@code cublas}
 * @param type the values for people, such as {@code off or a file}
 * @param choices the only values that are legal; empty if any text is
 * @param defaultValue the value without a setting, for people
 * @param property the system property that gives the value where the option is not set
 * @param processWide whether all virtual machines of a process share the value, which only the
 *     property can set then
 * @param description one sentence for {@code doctor}
 */
public record BackendOption(
    String name,
    String type,
    List<String> choices,
    String defaultValue,
    String property,
    boolean processWide,
    String description) {
  /** Copies the list. */
  public BackendOption {
    Objects.requireNonNull(name, "name");
    choices = List.copyOf(choices);
  }

  /** An option whose value is any text. */
  public static BackendOption of(
      String name, String type, String defaultValue, String property, String description) {
    return new BackendOption(name, type, List.of(), defaultValue, property, false, description);
  }

  /** An option whose values are listed; the first one is the default. */
  public static BackendOption choice(
      String name, List<String> choices, String property, String description) {
    return new BackendOption(
        name,
        String.join(", ", choices),
        choices,
        choices.getFirst(),
        property,
        false,
        description);
  }

  /** This option with one value for the whole process. */
  public BackendOption forProcess() {
    return new BackendOption(name, type, choices, defaultValue, property, true, description);
  }
}
