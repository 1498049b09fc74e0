package org.relaxvm.interoponnx.convert;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.interoponnx.proto.AttributeProto;
import org.relaxvm.interoponnx.proto.AttributeProto.AttributeValue;
import org.relaxvm.interoponnx.proto.GraphProto;
import org.relaxvm.interoponnx.proto.NodeProto;
import org.relaxvm.interoponnx.proto.ValueInfoProto;

/**
 * Sorts the nodes of a graph so that each value is made before it is used, and leaves out those
 * that the outputs do not need. Nodes that are in order stay in order. In time linear in the graph.
 */
final class NodeOrder {
  private final List<NodeProto> nodes;
  private final Map<String, Integer> makers = new HashMap<>();
  private final byte[] state;
  private final List<NodeProto> sorted = new ArrayList<>();

  private static final byte OPEN = 1;
  private static final byte DONE = 2;

  private NodeOrder(List<NodeProto> nodes) {
    this.nodes = nodes;
    this.state = new byte[nodes.size()];
  }

  /**
   * The nodes that some values need, in order.
   *
   * @throws MalformedFileException when two nodes make one value, or nodes need each other
   */
  static List<NodeProto> sorted(List<NodeProto> nodes, List<String> wanted) {
    NodeOrder order = new NodeOrder(nodes);
    for (int i = 0; i < nodes.size(); i++) {
      for (String output : nodes.get(i).outputs()) {
        if (!output.isEmpty() && order.makers.putIfAbsent(output, i) != null) {
          throw malformed("two nodes make the value '" + output + "'");
        }
      }
    }
    Set<Integer> needed = order.needed(wanted);
    for (int i = 0; i < nodes.size(); i++) {
      if (needed.contains(i)) {
        order.visit(i);
      }
    }
    return order.sorted;
  }

  private Set<Integer> needed(List<String> wanted) {
    Set<Integer> needed = new HashSet<>();
    Deque<String> names = new ArrayDeque<>(wanted);
    while (!names.isEmpty()) {
      Integer maker = makers.get(names.pop());
      if (maker != null && needed.add(maker)) {
        names.addAll(uses(nodes.get(maker)));
      }
    }
    return needed;
  }

  private void visit(int root) {
    Deque<Integer> stack = new ArrayDeque<>();
    stack.push(root);
    while (!stack.isEmpty()) {
      int node = stack.peek();
      if (state[node] == DONE) {
        stack.pop();
        continue;
      }
      boolean isReady = true;
      if (state[node] == 0) {
        state[node] = OPEN;
        for (String use : uses(nodes.get(node)).reversed()) {
          Integer maker = makers.get(use);
          if (maker == null || state[maker] == DONE) {
            continue;
          }
          if (state[maker] == OPEN) {
            throw malformed("nodes need each other: the value '" + use + "' needs itself");
          }
          stack.push(maker);
          isReady = false;
        }
      }
      if (isReady) {
        stack.pop();
        state[node] = DONE;
        sorted.add(nodes.get(node));
      }
    }
  }

  /** What a node takes, and what its subgraphs take from around it. */
  static List<String> uses(NodeProto node) {
    List<String> uses = new ArrayList<>(node.inputs());
    for (AttributeProto attribute : node.attributes()) {
      switch (attribute.value()) {
        case AttributeValue.OfGraph(GraphProto graph) -> uses.addAll(captured(graph));
        case AttributeValue.Graphs(List<GraphProto> graphs) ->
            graphs.forEach(graph -> uses.addAll(captured(graph)));
        default -> {}
      }
    }
    return uses;
  }

  private static Set<String> captured(GraphProto graph) {
    Set<String> own = new HashSet<>();
    graph.inputs().forEach(input -> own.add(input.name()));
    graph.initializers().forEach(tensor -> own.add(tensor.name()));
    graph.sparseInitializers().forEach(tensor -> own.add(tensor.values().name()));
    graph.nodes().forEach(node -> own.addAll(node.outputs()));
    Set<String> used = new HashSet<>();
    graph.nodes().forEach(node -> used.addAll(uses(node)));
    graph.outputs().stream().map(ValueInfoProto::name).forEach(used::add);
    used.removeAll(own);
    return used;
  }

  private static MalformedFileException malformed(String what) {
    return new MalformedFileException(ErrorKind.VALUE, "malformed ONNX model: " + what);
  }
}
