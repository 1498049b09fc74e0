package org.relaxvm.interoponnx.proto;

import java.util.List;
import java.util.Map;

/**
 * A function that a model contains. Immutable.
 *
 * @param attributes names of attributes without a default
 * @param attributeDefaults attributes with a default
 * @param opsets the versions of the operators in it
 */
public record FunctionProto(
    String name,
    String domain,
    String overload,
    List<String> inputs,
    List<String> outputs,
    List<String> attributes,
    List<AttributeProto> attributeDefaults,
    List<NodeProto> nodes,
    Map<String, Long> opsets,
    List<ValueInfoProto> valueInfo) {

  static FunctionProto of(WireMessage function) {
    return new FunctionProto(
        function.string(1),
        NodeProto.domain(function.string(10)),
        function.string(13),
        function.strings(4),
        function.strings(5),
        function.strings(6),
        function.messages(11, AttributeProto::of),
        function.messages(7, NodeProto::of),
        Entries.opsets(function.messages(9)),
        function.messages(12, ValueInfoProto::of));
  }
}
