package org.relaxvm.interoponnx.cases;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.relaxvm.interoponnx.proto.AttributeProto.AttributeValue;
import org.relaxvm.interoponnx.proto.GraphProto;
import org.relaxvm.interoponnx.proto.ModelProto;
import org.relaxvm.interoponnx.proto.NodeProto;
import org.relaxvm.interoponnx.proto.ValueInfoProto;

/** The inputs of a model that give axes, extents, widths, bounds and counts. */
final class ShapeInputs {
  private static final Map<String, List<Integer>> POSITIONS = positions();

  private final Map<String, List<NodeProto>> makers = new HashMap<>();
  private final Map<String, String> outside = new HashMap<>();
  private final Deque<String> next = new ArrayDeque<>();
  private final Set<String> found = new LinkedHashSet<>();

  private ShapeInputs() {}

  /** Their names, without inputs that have a default. */
  static Set<String> of(ModelProto model) {
    ShapeInputs inputs = new ShapeInputs();
    inputs.read(model.graph());
    inputs.trace();
    Set<String> names =
        new LinkedHashSet<>(model.graph().inputs().stream().map(ValueInfoProto::name).toList());
    model.graph().initializers().forEach(tensor -> names.remove(tensor.name()));
    names.retainAll(inputs.found);
    return names;
  }

  private static Map<String, List<Integer>> positions() {
    Map<String, List<Integer>> all = new HashMap<>();
    for (String reduction :
        List.of(
            "L1", "L2", "LogSum", "LogSumExp", "Max", "Mean", "Min", "Prod", "Sum", "SumSquare")) {
      all.put("Reduce" + reduction, List.of(1));
    }
    for (String operator :
        List.of(
            "AffineGrid",
            "CenterCropPad",
            "CumProd",
            "CumSum",
            "Expand",
            "OneHot",
            "Reshape",
            "Split",
            "SplitToSequence",
            "Squeeze",
            "Tile",
            "TopK",
            "Trilu",
            "Unsqueeze",
            "Upsample")) {
      all.put(operator, List.of(1));
    }
    for (String operator :
        List.of("BlackmanWindow", "ConstantOfShape", "HammingWindow", "HannWindow")) {
      all.put(operator, List.of(0));
    }
    all.put("Col2Im", List.of(1, 2));
    all.put("DFT", List.of(1, 2));
    all.put("Dropout", List.of(1, 2));
    all.put("MaxUnpool", List.of(2));
    all.put("MelWeightMatrix", List.of(0, 1, 2, 3, 4));
    all.put("NonMaxSuppression", List.of(2));
    all.put("Pad", List.of(1, 3));
    all.put("Range", List.of(0, 1, 2));
    all.put("Resize", List.of(1, 2, 3));
    all.put("STFT", List.of(1, 3));
    all.put("Slice", List.of(1, 2, 3, 4));
    return Map.copyOf(all);
  }

  private void read(GraphProto graph) {
    for (NodeProto node : graph.nodes()) {
      node.outputs()
          .forEach(name -> makers.computeIfAbsent(name, key -> new ArrayList<>()).add(node));
      for (int position : POSITIONS.getOrDefault(node.opType(), List.of())) {
        if (position < node.inputs().size()) {
          next.add(node.inputs().get(position));
        }
      }
      for (GraphProto inside : subgraphs(node)) {
        read(inside);
        for (int i = 0; i < Math.min(inside.inputs().size(), node.inputs().size()); i++) {
          outside.put(inside.inputs().get(i).name(), node.inputs().get(i));
        }
      }
    }
  }

  private static List<GraphProto> subgraphs(NodeProto node) {
    List<GraphProto> graphs = new ArrayList<>();
    node.attributes()
        .forEach(
            attribute -> {
              if (attribute.value() instanceof AttributeValue.OfGraph(GraphProto graph)) {
                graphs.add(graph);
              }
            });
    return graphs;
  }

  /** What the values are computed from; the shape of a tensor does not follow from its elements. */
  private void trace() {
    Set<NodeProto> seen = new HashSet<>();
    while (!next.isEmpty()) {
      String name = next.pop();
      if (!found.add(name)) {
        continue;
      }
      if (outside.containsKey(name)) {
        next.add(outside.get(name));
      }
      for (NodeProto node : makers.getOrDefault(name, List.of())) {
        if (!node.opType().equals("Shape") && !node.opType().equals("Size") && seen.add(node)) {
          next.addAll(node.inputs());
          for (GraphProto inside : subgraphs(node)) {
            inside.outputs().forEach(output -> next.add(output.name()));
          }
        }
      }
    }
  }
}
