package org.relaxvm.interoponnx.convert;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.relaxvm.interoponnx.proto.AttributeProto;
import org.relaxvm.interoponnx.value.Operand;

/** The values of a graph or function by name; a subgraph also sees those around it. */
final class Scope {
  private final @Nullable Scope outer;
  private final Map<String, Operand> values = new HashMap<>();
  private final Map<String, Long> opsets;
  private final Map<String, AttributeProto> attributes;
  private final String path;

  private Scope(
      @Nullable Scope outer,
      Map<String, Long> opsets,
      Map<String, AttributeProto> attributes,
      String path) {
    this.outer = outer;
    this.opsets = opsets;
    this.attributes = attributes;
    this.path = path;
  }

  /** The scope of a model. */
  static Scope ofModel(Map<String, Long> opsets) {
    return new Scope(null, opsets, Map.of(), "");
  }

  /** The scope of a subgraph of a node. */
  Scope subgraph(String node) {
    return new Scope(this, opsets, attributes, path + node + "/");
  }

  /** The scope of a call of a function, which sees nothing around it. */
  Scope function(
      String node, Map<String, Long> functionOpsets, Map<String, AttributeProto> arguments) {
    return new Scope(null, functionOpsets, arguments, path + node + "/");
  }

  void define(String name, Operand value) {
    values.put(name, value);
  }

  Optional<Operand> find(String name) {
    for (Scope scope = this; scope != null; scope = scope.outer) {
      Operand value = scope.values.get(name);
      if (value != null) {
        return Optional.of(value);
      }
    }
    return Optional.empty();
  }

  /** The version of a domain, or empty when the model does not import it. */
  Optional<Long> version(String domain) {
    return Optional.ofNullable(opsets.get(domain));
  }

  /** An argument of the function that is called. */
  Optional<AttributeProto> attribute(String name) {
    return Optional.ofNullable(attributes.get(name));
  }

  /** The nodes around, as a prefix of names. */
  String path() {
    return path;
  }
}
