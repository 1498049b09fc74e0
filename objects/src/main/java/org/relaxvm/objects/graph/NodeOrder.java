package org.relaxvm.objects.graph;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.object.DictObject;
import org.relaxvm.api.object.FieldKind;
import org.relaxvm.api.object.ListObject;
import org.relaxvm.api.object.ObjectType;
import org.relaxvm.api.object.ObjectTypes;

/**
 * The nodes of a graph in the order that they are written in: depth first, children before parents.
 * Objects are nodes by identity, values by what they are.
 */
final class NodeOrder {
  /** The index of a node whose children are visited. */
  private static final int OPEN = -1;

  /** The key of null. */
  private static final Object NULL = new Object();

  private final ObjectTypes types;
  private final List<@Nullable Object> nodes = new ArrayList<>();
  private final Map<Object, Integer> indices = new HashMap<>();
  private final Deque<Visit> stack = new ArrayDeque<>();

  private NodeOrder(ObjectTypes types) {
    this.types = types;
  }

  /** An object by identity. */
  private record Identity(Object object) {
    @Override
    @SuppressWarnings("ReferenceEquality") // that very object
    public boolean equals(Object other) {
      return other instanceof Identity(Object o) && o == object;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(object);
    }
  }

  /** A node whose children are visited, and the next of them. */
  private static final class Visit {
    final @Nullable Object node;
    final Object key;
    final List<@Nullable Object> children;
    int next;

    Visit(@Nullable Object node, Object key, List<@Nullable Object> children) {
      this.node = node;
      this.key = key;
      this.children = children;
    }
  }

  static NodeOrder of(@Nullable Object root, ObjectTypes types) {
    NodeOrder order = new NodeOrder(types);
    order.enter(root);
    while (!order.stack.isEmpty()) {
      order.step(order.stack.getLast());
    }
    return order;
  }

  private static Object key(@Nullable Object node) {
    return switch (node) {
      case null -> NULL;
      case Long _, Boolean _, Double _, String _, DType _, DeviceId _ -> node;
      case byte[] bytes -> ByteBuffer.wrap(bytes);
      default -> new Identity(node);
    };
  }

  /** The nodes. The root is the last. */
  List<@Nullable Object> nodes() {
    return nodes;
  }

  int indexOf(@Nullable Object node) {
    Integer index = indices.get(key(node));
    if (index == null) {
      throw new IllegalStateException("the object was changed while it was written");
    }
    return index;
  }

  private void step(Visit visit) {
    if (visit.next < visit.children.size()) {
      enter(visit.children.get(visit.next++));
      return;
    }
    indices.put(visit.key, nodes.size());
    nodes.add(visit.node);
    stack.removeLast();
  }

  private void enter(@Nullable Object node) {
    Object key = key(node);
    Integer known = indices.putIfAbsent(key, OPEN);
    if (known == null) {
      stack.addLast(new Visit(node, key, children(node)));
    } else if (known == OPEN) {
      throw new CallException(
          ErrorKind.VALUE,
          "Cycle detected during serialization: "
              + switch (node) {
                case ListObject _ -> "a List";
                case DictObject _ -> "a Dict";
                case null, default -> "an object of type " + types.keyOf(node);
              }
              + " contains itself");
    }
  }

  private List<@Nullable Object> children(@Nullable Object node) {
    List<@Nullable Object> children = new ArrayList<>();
    switch (node) {
      case null -> {}
      case List<?> list -> children.addAll(list);
      case ListObject list -> children.addAll(list.elements());
      case Map<?, ?> map -> addEntries(map, children);
      case DictObject dict -> addEntries(dict.entries(), children);
      case PackedFunc _ ->
          throw new CallException(
              ErrorKind.TYPE,
              "Type `ffi.Function` does not support ToJSONGraph\n  what to do: save its name");
      default -> {
        types.keyOf(node);
        types.typeOf(node).ifPresent(type -> addFields(type, node, children));
      }
    }
    return children;
  }

  private static void addEntries(Map<?, ?> map, List<@Nullable Object> children) {
    map.forEach(
        (key, value) -> {
          children.add(key);
          children.add(value);
        });
  }

  private static void addFields(ObjectType type, Object node, List<@Nullable Object> children) {
    if (type.textField().isPresent()) {
      return;
    }
    for (int i = 0; i < type.fields().size(); i++) {
      if (type.fields().get(i).kind() == FieldKind.REFERENCE) {
        children.add(type.get(node, i));
      }
    }
  }
}
