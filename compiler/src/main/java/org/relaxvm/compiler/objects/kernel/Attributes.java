package org.relaxvm.compiler.objects.kernel;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.object.ObjectNode;
import org.relaxvm.api.object.Representation;

/** Attributes and annotations: strings, integers, booleans and floats by name. */
final class Attributes {
  private Attributes() {}

  /**
   * The entries of a map. What cannot be held is a problem, and left out.
   *
   * @param owner has the map
   * @param field of the map
   */
  static Map<String, Object> read(NodeAccess owner, String field) {
    Map<String, Object> read = new LinkedHashMap<>();
    owner
        .entries(field)
        .forEach(
            (key, given) -> {
              Object value = value(given);
              if (key instanceof String name && value != null) {
                read.put(name, value);
              } else {
                owner.problem(
                    "." + field + "[" + Representation.of(key) + "]",
                    "a value of " + kind(given) + " cannot be held by name");
              }
            });
    return read;
  }

  private static String kind(@Nullable Object value) {
    return switch (value) {
      case null -> "None";
      case ObjectNode node -> node.type().key();
      case List<?> _ -> "ffi.Array";
      case Map<?, ?> _ -> "ffi.Map";
      default -> value.getClass().getSimpleName();
    };
  }

  private static @Nullable Object value(@Nullable Object given) {
    return switch (given) {
      case String text -> text;
      case Long number -> number;
      case Boolean bool -> bool;
      case Double number -> number;
      case ObjectNode node -> constant(node);
      case null, default -> null;
    };
  }

  private static @Nullable Object constant(ObjectNode node) {
    return switch (node.type().key()) {
      case "ir.IntImm" -> {
        boolean isBool =
            NodeAccess.scalarType(field(node, "ty")) instanceof DType dtype
                && dtype.equals(DType.BOOL);
        yield isBool ? (Object) Long.valueOf(1).equals(field(node, "value")) : field(node, "value");
      }
      case "ir.FloatImm", "tirx.StringImm" -> field(node, "value");
      default -> null;
    };
  }

  private static @Nullable Object field(ObjectNode node, String name) {
    return node.type().get(node, node.type().requireField(name));
  }
}
