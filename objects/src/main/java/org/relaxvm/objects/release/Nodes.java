package org.relaxvm.objects.release;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.object.DictObject;
import org.relaxvm.api.object.ListObject;
import org.relaxvm.api.object.ObjectNode;

/** Access to nodes of any release. */
final class Nodes {
  private Nodes() {}

  /** The value of a field; null if the node's type has none of that name. */
  static @Nullable Object field(@Nullable Object object, String name) {
    if (!(object instanceof ObjectNode node)) {
      return null;
    }
    int number = node.type().fieldNumber(name);
    return number < 0 ? null : node.type().get(node, number);
  }

  /** The text of a field; empty if it is none. */
  static String text(@Nullable Object object, String name) {
    return field(object, name) instanceof String text ? text : "";
  }

  /** The elements of a field that is a list; none if it is not. */
  static List<?> list(@Nullable Object object, String name) {
    return field(object, name) instanceof List<?> list ? list : List.of();
  }

  /** The entries of a field that is a map; none if it is not. */
  static Map<?, ?> map(@Nullable Object object, String name) {
    return field(object, name) instanceof Map<?, ?> map ? map : Collections.emptyMap();
  }

  /** The key of the type of a node; empty of other values. */
  static String key(@Nullable Object object) {
    return object instanceof ObjectNode node ? node.type().key() : "";
  }

  /** Whether a value is a node of a type. */
  static boolean isA(@Nullable Object object, String key) {
    return object instanceof ObjectNode node && node.type().isA(key);
  }

  /** Passes each node below a value on, once, parents before children. */
  static void forEach(@Nullable Object root, Consumer<ObjectNode> action) {
    Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    Deque<Object> pending = new ArrayDeque<>();
    push(root, seen, pending);
    while (!pending.isEmpty()) {
      Object next = pending.pop();
      if (next instanceof ObjectNode node) {
        action.accept(node);
      }
      for (Object part : parts(next).reversed()) {
        push(part, seen, pending);
      }
    }
  }

  private static void push(@Nullable Object value, Set<Object> seen, Deque<Object> pending) {
    if (value != null && isComposite(value) && seen.add(value)) {
      pending.push(value);
    }
  }

  /** Whether a value refers to others. */
  static boolean isComposite(@Nullable Object value) {
    return value instanceof ObjectNode
        || value instanceof Collection
        || value instanceof Map
        || value instanceof ListObject
        || value instanceof DictObject;
  }

  private static List<@Nullable Object> parts(Object value) {
    List<@Nullable Object> parts = new ArrayList<>();
    switch (value) {
      case ObjectNode node -> {
        for (int i = 0; i < node.type().fields().size(); i++) {
          parts.add(node.type().get(node, i));
        }
      }
      case Collection<?> list -> parts.addAll(list);
      case ListObject list -> parts.addAll(list.elements());
      case Map<?, ?> map -> entries(map, parts);
      case DictObject dict -> entries(dict.entries(), parts);
      default -> {}
    }
    return parts;
  }

  private static void entries(Map<?, ?> map, List<@Nullable Object> parts) {
    parts.addAll(map.keySet());
    parts.addAll(map.values());
  }
}
