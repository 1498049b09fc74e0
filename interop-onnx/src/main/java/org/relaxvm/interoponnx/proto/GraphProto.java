package org.relaxvm.interoponnx.proto;

import java.util.List;
import java.util.Map;

/**
 * A graph: the one of a model, or a subgraph in an attribute. Immutable.
 *
 * @param nodes in the order of the file, which need not be that of evaluation
 * @param valueInfo types of values inside
 */
public record GraphProto(
    String name,
    String docString,
    List<NodeProto> nodes,
    List<TensorProto> initializers,
    List<SparseTensorProto> sparseInitializers,
    List<ValueInfoProto> inputs,
    List<ValueInfoProto> outputs,
    List<ValueInfoProto> valueInfo,
    Map<String, String> metadata) {

  static GraphProto of(WireMessage graph) {
    return new GraphProto(
        graph.string(2),
        graph.string(10),
        graph.messages(1, NodeProto::of),
        graph.messages(5, TensorProto::new),
        graph.messages(15, SparseTensorProto::of),
        graph.messages(11, ValueInfoProto::of),
        graph.messages(12, ValueInfoProto::of),
        graph.messages(13, ValueInfoProto::of),
        Entries.strings(graph.messages(16)));
  }
}
