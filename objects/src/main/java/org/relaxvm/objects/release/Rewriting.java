package org.relaxvm.objects.release;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.object.DictObject;
import org.relaxvm.api.object.FieldKind;
import org.relaxvm.api.object.ListObject;
import org.relaxvm.api.object.ObjectField;
import org.relaxvm.api.object.ObjectNode;
import org.relaxvm.api.object.ObjectType;
import org.relaxvm.objects.compare.AccessPath;

/**
 * Makes a graph from another, children first. Each object is made once, however often it is
 * referred to. An explicit stack instead of recursion makes depth no limit. Not thread-safe.
 */
abstract class Rewriting {
  /** Instead of a result. */
  private enum State {
    /** Its parts are being made. */
    OPEN,
    /** Nothing became of it, of which a problem is known, or it stands for nothing. */
    NOTHING
  }

  final Target target;
  final Problems problems = new Problems();

  private final Map<Object, Object> done = new IdentityHashMap<>();
  private final Deque<Visit> stack = new ArrayDeque<>();

  Rewriting(Target target) {
    this.target = target;
  }

  /**
   * A part of an object, and the step to it.
   *
   * @param step the name of a field, the number of an element, or a {@link Key}
   */
  record Part(Object step, @Nullable Object value) {}

  /** A step to the value of a key. */
  record Key(@Nullable Object key) {}

  /** An object whose parts are made, and the step to it. */
  private record Visit(Object step, Object value, Iterator<Part> parts) {}

  /** The parts of a node that are made before it. */
  abstract List<Part> parts(ObjectNode node);

  /** What becomes of a node; null, and a problem, if nothing can. */
  abstract @Nullable Object make(ObjectNode node);

  /** What becomes of a value and all below it. */
  @Nullable Object convert(@Nullable Object root) {
    enter(new Part("", root));
    while (!stack.isEmpty()) {
      Visit visit = stack.getLast();
      if (visit.parts().hasNext()) {
        enter(visit.parts().next());
      } else {
        Object made = finish(visit.value());
        done.put(visit.value(), made == null ? State.NOTHING : made);
        stack.removeLast();
      }
    }
    problems.throwIfAny(
        "objects of release "
            + target.source()
            + " have no counterpart in release "
            + target.release());
    return of(root);
  }

  private void enter(Part part) {
    Object value = part.value();
    if (value == null || !Nodes.isComposite(value)) {
      return;
    }
    Object known = done.putIfAbsent(value, State.OPEN);
    if (known == State.OPEN) {
      throw new CallException(
          ErrorKind.VALUE, "a value of " + target.types().keyOf(value) + " contains itself");
    }
    if (known == null) {
      stack.addLast(new Visit(part.step(), value, partsOf(value).iterator()));
    }
  }

  private List<Part> partsOf(Object value) {
    List<Part> parts = new ArrayList<>();
    switch (value) {
      case ObjectNode node -> parts.addAll(parts(node));
      case List<?> list -> elements(list, parts);
      case ListObject list -> elements(list.elements(), parts);
      case Map<?, ?> map -> entries(map, parts);
      case DictObject dict -> entries(dict.entries(), parts);
      default -> {}
    }
    return parts;
  }

  /** Adds the elements of a list. */
  static void elements(List<?> list, List<Part> parts) {
    for (int i = 0; i < list.size(); i++) {
      parts.add(new Part(i, list.get(i)));
    }
  }

  private static void entries(Map<?, ?> map, List<Part> parts) {
    map.forEach(
        (key, value) -> {
          parts.add(new Part(new Key(key), key));
          parts.add(new Part(new Key(key), value));
        });
  }

  /** All fields that hold references. */
  static List<Part> references(ObjectNode node) {
    List<Part> parts = new ArrayList<>();
    List<ObjectField> fields = node.type().fields();
    for (int i = 0; i < fields.size(); i++) {
      if (fields.get(i).kind() == FieldKind.REFERENCE) {
        parts.add(new Part(fields.get(i).name(), node.type().get(node, i)));
      }
    }
    return parts;
  }

  /** Some fields. */
  static List<Part> fields(ObjectNode node, String... names) {
    List<Part> parts = new ArrayList<>();
    for (String name : names) {
      parts.add(new Part(name, Nodes.field(node, name)));
    }
    return parts;
  }

  private @Nullable Object finish(Object value) {
    return switch (value) {
      case ObjectNode node -> make(node);
      case List<?> list -> all(list);
      case ListObject list -> new ListObject(new ArrayList<>(all(list.elements())));
      case Map<?, ?> map -> Collections.unmodifiableMap(all(map));
      case DictObject dict -> new DictObject(all(dict.entries()));
      default -> value;
    };
  }

  /** What has become of elements. */
  List<@Nullable Object> all(List<?> values) {
    List<@Nullable Object> made = new ArrayList<>();
    values.forEach(value -> made.add(of(value)));
    return Collections.unmodifiableList(made);
  }

  private Map<@Nullable Object, @Nullable Object> all(Map<?, ?> values) {
    Map<@Nullable Object, @Nullable Object> made = new LinkedHashMap<>();
    values.forEach((key, value) -> made.put(of(key), of(value)));
    return made;
  }

  /**
   * What has become of a value; null of one that nothing can become of. A part that the rules do
   * not expect where it is was not made, which is a problem.
   */
  @Nullable Object of(@Nullable Object value) {
    if (value == null || !Nodes.isComposite(value)) {
      return value;
    }
    Object made = done.get(value);
    if (made == null || made == State.OPEN) {
      problem("", "a " + target.types().keyOf(value) + " is not expected in it");
      return null;
    }
    return made == State.NOTHING ? null : made;
  }

  /**
   * Notes that the object that is made, or a part of it, has no counterpart.
   *
   * @param below the steps to the part
   * @param what as {@code a layout}
   */
  void refuse(String below, String what) {
    problem(below, what + " has no counterpart in release " + target.release());
  }

  /** Notes a problem of the object that is made. */
  void problem(String below, String text) {
    StringBuilder path = new StringBuilder("<root>");
    for (Visit visit : stack) {
      switch (visit.step()) {
        case Integer index -> path.append('[').append(index).append(']');
        case Key(Object key) -> path.append(AccessPath.ofKey(key, target.types()));
        default -> path.append(visit.step().equals("") ? "" : ".").append(visit.step());
      }
    }
    problems.add(path + below, text);
  }

  // ---------------------------------------------------------------- objects of the other release

  /** What the type of an object has in the other release that this one does not say by name. */
  abstract Map<String, @Nullable Object> implied(ObjectNode node, ObjectType type);

  /** The value of a field of the other release. */
  @Nullable Object placed(@Nullable Object made, ObjectType type, ObjectField field) {
    return made;
  }

  /** The operator of the same name; null, and a problem, if there is none. */
  @Nullable Object operator(ObjectNode node) {
    String name = Nodes.text(node, "name");
    ObjectNode operator = target.operator(target.renamed(name));
    if (operator == null) {
      problem("", "there is no operator " + name + " in release " + target.release());
    }
    return operator;
  }

  /** The object with the same fields; null, and a problem, if there is no such type. */
  @Nullable Object copy(ObjectNode node) {
    return copy(node, target.renamed(node.type().key()));
  }

  /**
   * An object of a type with the same fields; null, and a problem, if there is no such type.
   *
   * @param key of the type
   * @param given names and values of other fields in turn
   */
  @Nullable Object copy(ObjectNode node, String key, @Nullable Object... given) {
    ObjectType type = target.types().find(key).orElse(null);
    if (type == null) {
      problem("", "there is no " + key + " in release " + target.release());
      return null;
    }
    Map<String, @Nullable Object> known = new LinkedHashMap<>(implied(node, type));
    for (int i = 0; i < given.length; i += 2) {
      known.put((String) given[i], given[i + 1]);
    }
    @Nullable Object[] values = new Object[type.fields().size()];
    for (int i = 0; i < values.length; i++) {
      ObjectField field = type.fields().get(i);
      values[i] =
          known.containsKey(field.name()) ? known.get(field.name()) : value(node, type, field);
    }
    requireNothingElse(node, type);
    return type.create(values);
  }

  private @Nullable Object value(ObjectNode node, ObjectType type, ObjectField field) {
    if (node.type().fieldNumber(field.name()) < 0) {
      return missing(type, field);
    }
    Object made = of(Nodes.field(node, field.name()));
    Object value = Coercion.of(placed(made, type, field), field, target);
    return value == null && field.kind() != FieldKind.REFERENCE ? unfit(field, made) : value;
  }

  private @Nullable Object missing(ObjectType type, ObjectField field) {
    if (field.defaultValue() != null) {
      return type.defaultValue(type.requireField(field.name()));
    }
    if (field.kind() == FieldKind.REFERENCE) {
      return empty(field.typeName());
    }
    return unfit(field, null);
  }

  private static @Nullable Object empty(String typeName) {
    if (typeName.startsWith("ffi.Array")) {
      return List.of();
    }
    return typeName.startsWith("ffi.Map") ? Map.of() : null;
  }

  /** A problem, and any value of the field's kind. */
  private Object unfit(ObjectField field, @Nullable Object value) {
    problem(
        "." + field.name(),
        "expected " + field.typeName() + ", but got " + target.types().keyOf(value));
    return switch (field.kind()) {
      case INT -> 0L;
      case BOOL -> false;
      case FLOAT -> 0.0;
      case DTYPE, REFERENCE -> DType.VOID;
    };
  }

  /** The fields that an object of the other release has no place for must say nothing. */
  private void requireNothingElse(ObjectNode node, ObjectType type) {
    for (ObjectField field : node.type().fields()) {
      if (type.fieldNumber(field.name()) < 0
          && !isCarriedOtherwise(node, field.name())
          && !isNothing(Nodes.field(node, field.name()))) {
        problem(
            "." + field.name(),
            type.key() + " has no " + field.name() + " in release " + target.release());
      }
    }
  }

  /** Whether a field that the other release lacks is dealt with, or may be left out. */
  abstract boolean isCarriedOtherwise(ObjectNode node, String field);

  private static boolean isNothing(@Nullable Object value) {
    return switch (value) {
      case null -> true;
      case List<?> list -> list.isEmpty();
      case Map<?, ?> map -> map.isEmpty();
      default -> false;
    };
  }
}
