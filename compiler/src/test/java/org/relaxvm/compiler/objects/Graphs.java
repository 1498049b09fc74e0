package org.relaxvm.compiler.objects;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.object.FieldKind;
import org.relaxvm.api.object.ObjectField;
import org.relaxvm.api.object.ObjectNode;
import org.relaxvm.api.object.ObjectView;

/** Changes graphs. */
final class Graphs {
  private Graphs() {}

  /** The value that a field has in a copy; it is not copied itself. */
  record Change(@Nullable Object value) {}

  /**
   * A copy of a graph with other values of some fields.
   *
   * @param changes from an object and a field to the change; empty for fields that stay
   */
  static @Nullable Object changed(
      @Nullable Object root, BiFunction<ObjectNode, ObjectField, Optional<Change>> changes) {
    return new Copy(changes, new IdentityHashMap<>()).of(root);
  }

  private record Copy(
      BiFunction<ObjectNode, ObjectField, Optional<Change>> changes, Map<Object, Object> done) {
    @Nullable Object of(@Nullable Object value) {
      return switch (value) {
        case ObjectNode node -> {
          Object known = done.get(node);
          if (known == null) {
            known = node(node);
            done.put(node, known);
          }
          yield known;
        }
        case List<?> list -> {
          List<@Nullable Object> copy = new ArrayList<>();
          list.forEach(item -> copy.add(of(item)));
          yield Collections.unmodifiableList(copy);
        }
        case Map<?, ?> map -> {
          Map<@Nullable Object, @Nullable Object> copy = new LinkedHashMap<>();
          map.forEach((key, item) -> copy.put(of(key), of(item)));
          yield Collections.unmodifiableMap(copy);
        }
        case null, default -> value;
      };
    }

    private Object node(ObjectNode node) {
      List<ObjectField> fields = node.type().fields();
      @Nullable Object[] values = new Object[fields.size()];
      for (int i = 0; i < values.length; i++) {
        Optional<Change> change = changes.apply(node, fields.get(i));
        values[i] = change.isPresent() ? change.get().value() : of(node.type().get(node, i));
      }
      return node.type().create(values);
    }
  }

  /** All objects of a graph, each once. */
  static Set<ObjectNode> nodes(@Nullable Object root) {
    Set<ObjectNode> nodes = Collections.newSetFromMap(new IdentityHashMap<>());
    collect(root, nodes);
    return nodes;
  }

  private static void collect(@Nullable Object value, Set<ObjectNode> nodes) {
    switch (value) {
      case ObjectNode node -> {
        if (nodes.add(node)) {
          ObjectView.of(node).forEach((field, each) -> collect(each, nodes));
        }
      }
      case Collection<?> list -> list.forEach(item -> collect(item, nodes));
      case Map<?, ?> map -> {
        collect(map.keySet(), nodes);
        collect(map.values(), nodes);
      }
      case null, default -> {}
    }
  }

  /** Whether a field holds any value. */
  static boolean isReference(ObjectField field) {
    return field.kind() == FieldKind.REFERENCE;
  }
}
