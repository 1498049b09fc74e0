package org.relaxvm.interoponnx.convert;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.relaxvm.interoponnx.proto.AttributeProto;
import org.relaxvm.interoponnx.proto.NodeProto;
import org.relaxvm.interoponnx.value.Operand;

/** The values of a graph or function by name; a subgraph also sees those around it. */
final class Scope {
  private final @Nullable Scope outer;
  private final Map<String, Operand> values = new HashMap<>();
  private final Map<String, Long> opsets;
  private final Map<String, AttributeProto> attributes;
  private final String path;
  private final String key;
  private final boolean isFrame;

  private Scope(
      @Nullable Scope outer,
      Map<String, Long> opsets,
      Map<String, AttributeProto> attributes,
      String path,
      String key,
      boolean isFrame) {
    this.outer = outer;
    this.opsets = opsets;
    this.attributes = attributes;
    this.path = path;
    this.key = key;
    this.isFrame = isFrame;
  }

  /** The scope of a model. */
  static Scope ofModel(Map<String, Long> opsets) {
    return new Scope(null, opsets, Map.of(), "", "", true);
  }

  /**
   * The scope of a subgraph of a node.
   *
   * @param nodeKey what {@link #key(NodeProto)} gives, and what tells uses of the subgraph apart
   * @param asFrame whether the bindings of the subgraph are a function or branch of their own
   */
  Scope subgraph(String node, String nodeKey, boolean asFrame) {
    return new Scope(this, opsets, attributes, path + node + "/", nodeKey + "/", asFrame);
  }

  /** The scope of a call of a function, which sees nothing around it. */
  Scope function(
      String node,
      String nodeKey,
      Map<String, Long> functionOpsets,
      Map<String, AttributeProto> arguments) {
    return new Scope(
        null, functionOpsets, arguments, path + node + "/", key + nodeKey + "/", false);
  }

  /** The scope of a copy of what is left of the same graph. */
  Scope copy() {
    return new Scope(this, opsets, attributes, path, key, true);
  }

  /** Whether the bindings of the graph are those of a function or of a branch. */
  boolean isFrame() {
    return isFrame;
  }

  /** A text that tells a node from all others of the model; only nodes without outputs share it. */
  String key(NodeProto node) {
    return key
        + node.outputs().stream()
            .filter(output -> !output.isEmpty())
            .findFirst()
            .orElseGet(node::name);
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
