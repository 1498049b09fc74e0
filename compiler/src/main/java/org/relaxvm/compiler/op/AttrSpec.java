package org.relaxvm.compiler.op;

import java.util.Optional;

/**
 * An attribute of an operator.
 *
 * @param name as the text form writes it
 * @param kind what values it has
 * @param fallback the value where it is not given; empty for options that may be absent
 * @param isRequired whether a call without it is wrong
 */
public record AttrSpec(String name, Kind kind, Optional<Object> fallback, boolean isRequired) {
  /** What values an attribute has. */
  public enum Kind {
    INTEGER("an integer"),
    /** None is another value than the default. */
    INTEGER_OR_NONE("an integer or None"),
    REAL("a number"),
    BOOL("True or False"),
    TEXT("a text"),
    DTYPE("a dtype"),
    /** A single integer counts as a list of one. */
    INTEGERS("a list of integers"),
    /** A list of numbers. */
    REALS("a list of numbers"),
    /** Whatever attributes may be. */
    ANY("an attribute");

    private final String text;

    Kind(String text) {
      this.text = text;
    }

    /** What values there are, for messages. */
    public String text() {
      return text;
    }
  }

  /** An attribute that each call has. */
  public static AttrSpec required(String name, Kind kind) {
    return new AttrSpec(name, kind, Optional.empty(), true);
  }

  /** An attribute that may be absent. */
  public static AttrSpec optional(String name, Kind kind) {
    return new AttrSpec(name, kind, Optional.empty(), false);
  }

  /** An attribute with a value where none is given. */
  public static AttrSpec of(String name, Kind kind, Object fallback) {
    return new AttrSpec(name, kind, Optional.of(fallback), false);
  }
}
