package org.relaxvm.compiler.objects.node;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.api.object.ObjectNode;
import org.relaxvm.api.object.ObjectView;

/**
 * A value of a graph, and its path. A value that is not as expected becomes a problem; what is read
 * from it after that is a placeholder, without further problems. Not thread-safe.
 */
public final class Cursor {
  /** The greatest depth of values in each other. */
  private static final int MAX_DEPTH = 1_000;

  /** How many values are read at most, each as often as it is referred to. */
  private static final long MAX_VALUES = 10_000_000;

  private final Reading reading;
  private final @Nullable Cursor parent;
  private final String step;
  private final int depth;
  private final @Nullable Object value;

  /** Whether a problem of the value is known; it is null then. */
  private final boolean isRefused;

  private Cursor(
      Reading reading,
      @Nullable Cursor parent,
      String step,
      int depth,
      @Nullable Object value,
      boolean isRefused) {
    this.reading = reading;
    this.parent = parent;
    this.step = step;
    this.depth = depth;
    this.value = value;
    this.isRefused = isRefused;
  }

  /** The state that all cursors of a graph share. */
  private static final class Reading {
    final Problems problems;
    long values;

    Reading(Problems problems) {
      this.problems = problems;
    }
  }

  /** A cursor at the root of a graph. */
  public static Cursor root(@Nullable Object value, Problems problems) {
    return new Cursor(new Reading(problems), null, "<root>", 0, value, false);
  }

  private Cursor child(String childStep, @Nullable Object child) {
    reading.values++;
    Cursor cursor = new Cursor(reading, this, childStep, depth + 1, child, false);
    if (depth >= MAX_DEPTH) {
      return cursor.refuse("values are nested more than " + MAX_DEPTH + " deep");
    }
    if (reading.values == MAX_VALUES) {
      return cursor.refuse("more than " + MAX_VALUES + " values are referred to");
    }
    return reading.values > MAX_VALUES ? cursor.refused() : cursor;
  }

  private Cursor refused() {
    return new Cursor(reading, parent, step, depth, null, true);
  }

  private Cursor refuse(String text) {
    problem(text);
    return refused();
  }

  /** Notes a problem of this value, unless one is known. */
  public void problem(String text) {
    if (!isRefused) {
      reading.problems.add(path(), text);
    }
  }

  private void expected(String what) {
    problem("expected " + what + ", but got " + (isNull() ? "null" : key()));
  }

  /** The path, such as {@code <root>.functions}. */
  public String path() {
    Deque<String> steps = new ArrayDeque<>();
    for (@Nullable Cursor at = this; at != null; at = at.parent) {
      steps.addFirst(at.step);
    }
    return String.join("", steps);
  }

  /** Whether the value is null. */
  public boolean isNull() {
    return value == null && !isRefused;
  }

  /** The key of the value's type. */
  public String key() {
    return switch (value) {
      case null -> isRefused ? "unknown" : "None";
      case ObjectNode node -> node.type().key();
      case Long number -> "int";
      case Boolean bool -> "bool";
      case Double number -> "float";
      case String text -> "ffi.String";
      case DType dtype -> "DataType";
      case Tensor tensor -> "ffi.Tensor";
      case List<?> list -> "ffi.Array";
      case Map<?, ?> map -> "ffi.Map";
      default -> value.getClass().getSimpleName();
    };
  }

  /** Whether the value is an object of a type. */
  public boolean isA(String typeKey) {
    return value instanceof ObjectNode node && node.type().isA(typeKey);
  }

  /** Whether the value is an object of a type; a problem if it is not. */
  public boolean require(String typeKey) {
    if (!isA(typeKey)) {
      expected(typeKey);
      return false;
    }
    return true;
  }

  /** The object; empty, and a problem, for other values. */
  public Optional<ObjectNode> node() {
    if (value instanceof ObjectNode node) {
      return Optional.of(node);
    }
    expected("an object");
    return Optional.empty();
  }

  /** A field of an object. */
  public Cursor get(String field) {
    String next = "." + field;
    if (value instanceof ObjectNode node && node.type().fieldNumber(field) >= 0) {
      return child(next, ObjectView.of(node).get(field));
    }
    expected("an object with the field " + field);
    return new Cursor(reading, this, next, depth + 1, null, true);
  }

  /** The elements of a list. */
  public List<Cursor> items() {
    List<Cursor> items = new ArrayList<>();
    if (value instanceof List<?> list) {
      for (int i = 0; i < list.size(); i++) {
        items.add(child("[" + i + "]", list.get(i)));
      }
    } else {
      expected("ffi.Array");
    }
    return items;
  }

  /** The entries of a map with keys that are texts, in order. */
  public Map<String, Cursor> entries() {
    Map<String, Cursor> entries = new LinkedHashMap<>();
    if (!(value instanceof Map<?, ?> map)) {
      expected("ffi.Map");
      return entries;
    }
    map.forEach(
        (key, item) -> {
          if (key instanceof String name) {
            entries.put(name, child("[\"" + name + "\"]", item));
          } else {
            problem("expected keys that are texts");
          }
        });
    return entries;
  }

  /** The entries of a map with keys that are objects, in order. */
  public Map<ObjectNode, Cursor> objectEntries(Function<ObjectNode, String> keyText) {
    Map<ObjectNode, Cursor> entries = new LinkedHashMap<>();
    if (!(value instanceof Map<?, ?> map)) {
      expected("ffi.Map");
      return entries;
    }
    map.forEach(
        (key, item) -> {
          if (key instanceof ObjectNode node) {
            entries.put(node, child("[" + keyText.apply(node) + "]", item));
          } else {
            problem("expected keys that are objects");
          }
        });
    return entries;
  }

  /** The text; a problem for other values. */
  public String text() {
    return as(String.class, "ffi.String", "");
  }

  /** The integer; a problem for other values. */
  public long integer() {
    return as(Long.class, "int", 0L);
  }

  /** The integer; a problem for other values, and for those that do not fit. */
  public int smallInteger() {
    long number = integer();
    if (number != (int) number) {
      problem("the number " + number + " does not fit 32 bits");
    }
    return (int) number;
  }

  /** The boolean; a problem for other values. */
  public boolean bool() {
    return as(Boolean.class, "bool", false);
  }

  /** The dtype; a problem for other values. */
  public DType dtype() {
    return as(DType.class, "DataType", DType.VOID);
  }

  /** The tensor; empty, and a problem, for other values. */
  public Optional<Tensor> tensor() {
    if (value instanceof Tensor tensor) {
      return Optional.of(tensor);
    }
    expected("ffi.Tensor");
    return Optional.empty();
  }

  /** The value itself; null for one of which a problem is known. */
  public @Nullable Object value() {
    return value;
  }

  private <T> T as(Class<T> type, String what, T placeholder) {
    if (type.isInstance(value)) {
      return type.cast(value);
    }
    expected(what);
    return placeholder;
  }

  /** What is made of the value; a problem, and a placeholder, where a rule refuses it. */
  public <T> T held(Supplier<T> make, T placeholder) {
    try {
      return make.get();
    } catch (InvalidProgramException e) {
      problem(e.summary());
      return placeholder;
    }
  }
}
