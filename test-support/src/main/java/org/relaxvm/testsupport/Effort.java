package org.relaxvm.testsupport;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * How much a test run tests, {@code -Drelaxvm.effort=quick|full|long}. A higher effort adds cases;
 * it never leaves any out.
 */
public enum Effort {
  /** A build of a developer: random tests are short, corpora are sampled where a case is costly. */
  QUICK,

  /** Continuous integration: corpora are complete. */
  FULL,

  /** A night: random tests run as long as they can still find something. */
  LONG;

  /** The system property. */
  public static final String PROPERTY = "relaxvm.effort";

  /** The effort of this test run; {@link #QUICK} without the property. */
  public static Effort chosen() {
    return parse(System.getProperty(PROPERTY, ""));
  }

  /**
   * Reads the value of the property.
   *
   * @param text a name in lower case, or empty for {@link #QUICK}
   * @throws IllegalArgumentException if there is no such effort
   */
  static Effort parse(String text) {
    if (text.isEmpty()) {
      return QUICK;
    }
    for (Effort effort : values()) {
      if (effort.toString().equals(text)) {
        return effort;
      }
    }
    throw new IllegalArgumentException(
        "-D%s=%s: there is no such effort\n  efforts: %s\n  what to do: give one of them"
            .formatted(
                PROPERTY,
                text,
                Arrays.stream(values()).map(Effort::toString).collect(Collectors.joining(", "))));
  }

  /** Whether a corpus is tested completely. */
  public boolean isComplete() {
    return this != QUICK;
  }

  /** The number for this effort. */
  public int pick(int quick, int full, int longRun) {
    return switch (this) {
      case QUICK -> quick;
      case FULL -> full;
      case LONG -> longRun;
    };
  }

  /** As the property gives it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
