package org.relaxvm.compiler.objects.kernel;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.api.object.ObjectNode;
import org.relaxvm.api.object.ObjectView;
import org.relaxvm.compiler.objects.node.Problems;

/**
 * A node with its path. What a field holds is checked; a value of another kind is a problem, and
 * null is returned.
 */
record NodeAccess(ObjectNode node, NodePath path, Problems problems) {
  /** The type key. */
  String key() {
    return node.type().key();
  }

  /** The value of a field; null if the type has no such field. */
  @Nullable Object get(String field) {
    int number = node.type().fieldNumber(field);
    return number < 0 ? null : node.type().get(node, number);
  }

  /** An integer, which the field holds without a node of its own. */
  long integer(String field) {
    return get(field) instanceof Long value ? value : 0;
  }

  /** The node of a field; a problem if there is none. */
  @Nullable NodeAccess child(String field) {
    return at(get(field), path.then("." + field));
  }

  /** The string of a field; empty, and a problem, if there is none. */
  String text(String field) {
    if (get(field) instanceof String text) {
      return text;
    }
    problem("." + field, "expected a string");
    return "";
  }

  /** The nodes of a list; a problem if there is no list, and for each element that is no node. */
  List<NodeAccess> children(String field) {
    List<NodeAccess> children = new ArrayList<>();
    if (get(field) instanceof List<?> list) {
      for (int i = 0; i < list.size(); i++) {
        NodeAccess child = at(list.get(i), path.then("." + field + "[" + i + "]"));
        if (child != null) {
          children.add(child);
        }
      }
    } else {
      problem("." + field, "expected a list");
    }
    return children;
  }

  /** The entries of a map; a problem, and none, if there is no map. */
  Map<?, ?> entries(String field) {
    if (get(field) instanceof Map<?, ?> map) {
      return map;
    }
    problem("." + field, "expected a map");
    return Map.of();
  }

  private @Nullable NodeAccess at(@Nullable Object value, NodePath place) {
    if (value instanceof ObjectNode child) {
      return new NodeAccess(child, place, problems);
    }
    problems.add(place.toString(), "expected an object");
    return null;
  }

  /** The dtype of an expression or a variable; null if its type is no scalar type. */
  @Nullable DType dtype() {
    return scalarType(get("ty"));
  }

  /** The dtype that a scalar type is of; null of anything else. */
  static @Nullable DType scalarType(@Nullable Object type) {
    return type instanceof ObjectNode node
            && node.type().key().equals("ir.PrimType")
            && ObjectView.of(node).get("dtype") instanceof DType dtype
        ? dtype
        : null;
  }

  /** Notes a problem of this node, or below it. */
  void problem(String below, String text) {
    problems.add(path + below, text);
  }

  /** Notes that there is nothing like this node. */
  void cannotBeHeld() {
    problem("", key() + " cannot be held");
  }

  /** What is made; null, and a problem, if it is refused. */
  <T> @Nullable T make(Supplier<T> maker) {
    try {
      return maker.get();
    } catch (InvalidProgramException e) {
      problem("", e.getMessage());
      return null;
    }
  }
}
