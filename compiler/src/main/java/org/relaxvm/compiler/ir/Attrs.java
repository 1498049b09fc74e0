package org.relaxvm.compiler.ir;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;

/**
 * Attributes of a call, a function or a module, by name, in the order in which they were given. An
 * option that is not given is not there.
 *
 * @param values each a {@code Long}, {@code Double}, {@code Boolean}, {@code String}, {@link
 *     DType}, or a list or a map from strings of those, or {@link Nothing}
 */
public record Attrs(Map<String, Object> values) {
  /** The value of an option that is given as none, where one that is not given means something. */
  public enum Nothing {
    /** {@code None} in text. */
    NONE;

    @Override
    public String toString() {
      return "None";
    }
  }

  /** No attributes. */
  public static final Attrs NONE = new Attrs(Map.of());

  /** Checks and copies the values; other integers become {@code Long}, floats {@code Double}. */
  public Attrs {
    Map<String, Object> copy = new LinkedHashMap<>();
    values.forEach((name, value) -> copy.put(name, checked(name, value)));
    values = Collections.unmodifiableMap(copy);
  }

  /** One attribute. */
  public static Attrs of(String name, Object value) {
    return NONE.with(name, value);
  }

  private static Object checked(String name, Object value) {
    return switch (value) {
      case Long number -> number;
      case Integer number -> (long) number;
      case Double number -> number;
      case Float number -> (double) number;
      case Boolean bool -> bool;
      case String text -> text;
      case DType dtype -> dtype;
      case Nothing none -> none;
      case List<?> list -> list.stream().map(item -> checked(name, item)).toList();
      case Map<?, ?> map -> {
        Map<String, Object> copy = new LinkedHashMap<>();
        map.forEach((key, item) -> copy.put(String.valueOf(key), checked(name, item)));
        yield Collections.unmodifiableMap(copy);
      }
      default ->
          throw new InvalidProgramException(
              ErrorKind.TYPE,
              "the attribute "
                  + name
                  + " cannot be a "
                  + value.getClass().getSimpleName()
                  + "; expected a number, a boolean, a string, a dtype, or a list or map of"
                  + " them");
    };
  }

  /** The same with another attribute, or with another value of one. */
  public Attrs with(String name, Object value) {
    Map<String, Object> copy = new LinkedHashMap<>(values);
    copy.put(name, value);
    return new Attrs(copy);
  }

  /** The same without an attribute. */
  public Attrs without(String name) {
    Map<String, Object> copy = new LinkedHashMap<>(values);
    copy.remove(name);
    return new Attrs(copy);
  }

  /** Whether there is an attribute. */
  public boolean has(String name) {
    return values.containsKey(name);
  }

  /** An integer; empty when it is not given. */
  public Optional<Long> integer(String name) {
    return value(name, Long.class);
  }

  /** A float, also when it is given as an integer; empty when it is not given. */
  public Optional<Double> real(String name) {
    return values.get(name) instanceof Long number
        ? Optional.of((double) number)
        : value(name, Double.class);
  }

  /** A boolean; empty when it is not given. An integer is true unless it is 0. */
  public Optional<Boolean> bool(String name) {
    return values.get(name) instanceof Long number
        ? Optional.of(number != 0)
        : value(name, Boolean.class);
  }

  /** A text; empty when it is not given. */
  public Optional<String> text(String name) {
    return value(name, String.class);
  }

  /** A dtype, also when it is given by its name; empty when it is not given. */
  public Optional<DType> dtype(String name) {
    return values.get(name) instanceof String text
        ? Optional.of(DType.parse(text))
        : value(name, DType.class);
  }

  /** Integers, of which a single one may be given as such; empty when they are not given. */
  public Optional<List<Long>> integers(String name) {
    if (values.get(name) instanceof Long number) {
      return Optional.of(List.of(number));
    }
    return value(name, List.class)
        .map(
            list -> {
              for (Object item : list) {
                if (!(item instanceof Long)) {
                  throw wrong(name, "a list of integers", list);
                }
              }
              @SuppressWarnings("unchecked") // each item was looked at
              List<Long> integers = (List<Long>) list;
              return integers;
            });
  }

  /** Floats, which may also be given as integers; empty when they are not given. */
  public Optional<List<Double>> reals(String name) {
    return value(name, List.class)
        .map(
            list -> {
              List<Double> reals = new ArrayList<>();
              for (Object item : list) {
                if (!(item instanceof Number number)) {
                  throw wrong(name, "a list of numbers", list);
                }
                reals.add(number.doubleValue());
              }
              return List.copyOf(reals);
            });
  }

  private <T> Optional<T> value(String name, Class<T> type) {
    Object value = values.get(name);
    if (value == null || value == Nothing.NONE) {
      return Optional.empty();
    }
    if (!type.isInstance(value)) {
      throw wrong(name, "a " + type.getSimpleName(), value);
    }
    return Optional.of(type.cast(value));
  }

  private static InvalidProgramException wrong(String name, String expected, Object value) {
    return new InvalidProgramException(
        ErrorKind.TYPE, "the attribute " + name + " must be " + expected + ", but is " + value);
  }
}
