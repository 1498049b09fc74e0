package org.relaxvm.interoponnx.proto;

import java.util.List;

/**
 * A node. Immutable.
 *
 * @param inputs names of values; the empty string for an optional input that is absent
 * @param outputs names of values; the empty string for an output that nobody wants
 * @param domain the empty string for {@code ai.onnx}
 * @param overload which function of this name and domain is meant
 */
public record NodeProto(
    String name,
    String opType,
    String domain,
    String overload,
    List<String> inputs,
    List<String> outputs,
    List<AttributeProto> attributes) {
  private static final String STANDARD = "ai.onnx";

  static NodeProto of(WireMessage node) {
    return new NodeProto(
        node.string(3),
        node.string(4),
        domain(node.string(7)),
        node.string(8),
        node.strings(1),
        node.strings(2),
        node.messages(5, AttributeProto::of));
  }

  /** The short name of a domain. */
  static String domain(String name) {
    return name.equals(STANDARD) ? "" : name;
  }
}
