package org.relaxvm.api.spi;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;

/**
 * The values of a backend's {@linkplain BackendProvider#options() options}. Where an option is not
 * set, its system property counts, and otherwise its default. Immutable and thread-safe.
 */
public final class BackendOptions {
  private final String backend;
  private final List<BackendOption> declared;
  private final Map<String, String> set;

  private BackendOptions(String backend, List<BackendOption> declared, Map<String, String> set) {
    this.backend = backend;
    this.declared = declared;
    this.set = set;
  }

  /** The options of a backend, none of which is set. */
  public static BackendOptions of(String backend, List<BackendOption> declared) {
    return new BackendOptions(backend, List.copyOf(declared), Map.of());
  }

  /** No options: only system properties count. */
  public static BackendOptions none() {
    return of("", List.of());
  }

  /** The options that the backend declares. */
  public List<BackendOption> declared() {
    return declared;
  }

  /**
   * These options with one more set.
   *
   * @param name as declared
   * @throws BackendException a {@code ValueError} for a name that is not declared, a value that is
   *     not legal, or an option of the whole process that has another value there
   */
  public BackendOptions with(String name, String value) {
    BackendOption option = option(name);
    if (!option.choices().isEmpty() && !option.choices().contains(value)) {
      throw new BackendException(
          ErrorKind.VALUE,
          "option "
              + backend
              + "."
              + name
              + " must be one of "
              + String.join(", ", option.choices())
              + ", but is '"
              + value
              + "'");
    }
    if (option.processWide() && !value.equals(effective(option))) {
      throw new BackendException(
          ErrorKind.VALUE,
          "option "
              + backend
              + "."
              + name
              + " is '"
              + effective(option)
              + "' for this process and cannot be '"
              + value
              + "' for one virtual machine\n  what to do: start Java with -D"
              + option.property()
              + "="
              + value);
    }
    Map<String, String> more = new TreeMap<>(set);
    more.put(name, value);
    return new BackendOptions(backend, declared, Map.copyOf(more));
  }

  /**
   * The value of an option: as set, else of its system property as it is now, else its default.
   *
   * @param name as declared
   * @throws BackendException a {@code ValueError} for a name that is not declared
   */
  public String value(String name) {
    BackendOption option = option(name);
    String value = set.get(name);
    return value != null ? value : effective(option);
  }

  private static String effective(BackendOption option) {
    String value = System.getProperty(option.property(), "");
    return value.isEmpty() ? option.defaultValue() : value;
  }

  private BackendException unknown(String name) {
    String known =
        declared.stream()
            .map(option -> backend + "." + option.name())
            .collect(Collectors.joining(", "));
    return new BackendException(
        ErrorKind.VALUE,
        "the backend "
            + backend
            + " has no option '"
            + name
            + "'\n  options: "
            + (known.isEmpty() ? "none" : known));
  }

  /**
   * The value of a setting: of the option that the property belongs to if that is set, and
   * otherwise of the system property, as it is now.
   *
   * @return null if neither is set
   */
  public @Nullable String property(String property) {
    return optionOf(property)
        .map(option -> set.get(option.name()))
        .orElseGet(() -> System.getProperty(property));
  }

  /** What sets a property, for messages: {@code -Dproperty}, or {@code option backend.name}. */
  public String origin(String property) {
    return optionOf(property)
        .filter(option -> set.containsKey(option.name()))
        .map(option -> "option " + backend + "." + option.name())
        .orElse("-D" + property);
  }

  /** Whether an option is set here, and not by its property alone. */
  public boolean isSet(String name) {
    return set.containsKey(name);
  }

  private BackendOption option(String name) {
    return first(option -> option.name().equals(name)).orElseThrow(() -> unknown(name));
  }

  private Optional<BackendOption> optionOf(String property) {
    return first(option -> option.property().equals(property));
  }

  private Optional<BackendOption> first(Predicate<BackendOption> wanted) {
    return declared.stream().filter(wanted).findFirst();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof BackendOptions options
        && backend.equals(options.backend)
        && declared.equals(options.declared)
        && set.equals(options.set);
  }

  @Override
  public int hashCode() {
    return Objects.hash(backend, declared, set);
  }

  /** The options that are set, such as {@code {cublas=off}}. */
  @Override
  public String toString() {
    return new TreeMap<>(set).toString();
  }
}
