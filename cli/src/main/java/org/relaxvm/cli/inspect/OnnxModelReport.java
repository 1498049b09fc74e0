package org.relaxvm.cli.inspect;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.relaxvm.interoponnx.OnnxModel;
import org.relaxvm.interoponnx.proto.AttributeProto;
import org.relaxvm.interoponnx.proto.AttributeProto.AttributeValue;
import org.relaxvm.interoponnx.proto.GraphProto;
import org.relaxvm.interoponnx.proto.ModelProto;
import org.relaxvm.interoponnx.proto.NodeProto;
import org.relaxvm.interoponnx.proto.TensorProto;
import org.relaxvm.interoponnx.proto.TypeProto;
import org.relaxvm.interoponnx.proto.TypeProto.Dimension;
import org.relaxvm.interoponnx.proto.ValueInfoProto;

/** What an ONNX model consists of, told by its structure; weights are not read. */
public final class OnnxModelReport {
  private final ModelProto model;
  private final Map<String, Integer> operators = new TreeMap<>();
  private final TreeSet<String> files = new TreeSet<>();
  private long weights;
  private long weightBytes;

  /** A report about a model. */
  public OnnxModelReport(ModelProto model) {
    this.model = model;
    graph(model.graph());
    model.functions().forEach(function -> function.nodes().forEach(this::node));
  }

  private void graph(GraphProto graph) {
    graph.initializers().forEach(this::weight);
    graph.nodes().forEach(this::node);
  }

  private void node(NodeProto node) {
    String domain = node.domain().isEmpty() ? "" : node.domain() + ".";
    operators.merge(domain + node.opType(), 1, Integer::sum);
    for (AttributeProto attribute : node.attributes()) {
      switch (attribute.value()) {
        case AttributeValue.OfGraph(GraphProto graph) -> graph(graph);
        case AttributeValue.Graphs(List<GraphProto> graphs) -> graphs.forEach(this::graph);
        case AttributeValue.OfTensor(TensorProto tensor) -> weight(tensor);
        default -> {}
      }
    }
  }

  private void weight(TensorProto tensor) {
    weights++;
    weightBytes += OnnxModel.byteSize(tensor);
    if (tensor.isExternal()) {
      files.add(tensor.externalData().getOrDefault("location", ""));
    }
  }

  /** The report as lines. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add("ONNX model '" + model.graph().name() + "', IR version " + model.irVersion());
    line(lines, "producer", (model.producerName() + " " + model.producerVersion()).strip());
    line(lines, "operator sets", opsets());
    line(lines, "description", model.docString());
    model.metadata().forEach((key, value) -> line(lines, "metadata " + key, value));
    lines.add("inputs:");
    inputs().forEach(input -> lines.add("  " + input));
    lines.add("outputs:");
    model.graph().outputs().forEach(output -> lines.add("  " + value(output)));
    lines.add("operators:");
    operators.forEach((name, count) -> lines.add("  %6d  %s".formatted(count, name)));
    line(lines, "functions", functions());
    lines.add("weights: " + weights + " tensors, " + weightBytes + " bytes");
    line(lines, "files with weights", String.join(", ", files));
    return lines;
  }

  private static void line(List<String> lines, String title, String text) {
    if (!text.isEmpty()) {
      lines.add(title + ": " + text.strip());
    }
  }

  /** The report as JSON. */
  public Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("format", "onnx");
    json.put("name", model.graph().name());
    json.put("ir_version", model.irVersion());
    json.put("producer", (model.producerName() + " " + model.producerVersion()).strip());
    json.put("opsets", named(model.opsets()));
    json.put("metadata", model.metadata());
    json.put("inputs", inputs());
    json.put("outputs", model.graph().outputs().stream().map(OnnxModelReport::value).toList());
    json.put("operators", operators);
    json.put("weights", weights);
    json.put("weight_bytes", weightBytes);
    json.put("files", List.copyOf(files));
    return json;
  }

  private static Map<String, Long> named(Map<String, Long> opsets) {
    Map<String, Long> named = new LinkedHashMap<>();
    opsets.forEach((domain, version) -> named.put(domain.isEmpty() ? "ai.onnx" : domain, version));
    return named;
  }

  private String opsets() {
    return named(model.opsets()).entrySet().stream()
        .map(entry -> entry.getKey() + " " + entry.getValue())
        .collect(Collectors.joining(", "));
  }

  private String functions() {
    return model.functions().stream()
        .map(function -> function.domain() + "." + function.name())
        .collect(Collectors.joining(", "));
  }

  private List<String> inputs() {
    List<String> initialized =
        model.graph().initializers().stream().map(TensorProto::name).toList();
    TreeSet<String> names = new TreeSet<>(initialized);
    return model.graph().inputs().stream()
        .filter(input -> !names.contains(input.name()))
        .map(OnnxModelReport::value)
        .toList();
  }

  private static String value(ValueInfoProto value) {
    String note = value.docString().isEmpty() ? "" : "  " + value.docString().strip();
    return value.name() + ": " + type(value.type()) + note;
  }

  private static String type(TypeProto type) {
    return switch (type) {
      case TypeProto.OfTensor tensor ->
          OnnxModel.elementTypeName(tensor.elementType())
              + tensor.shape().map(OnnxModelReport::dims).orElse("[...]");
      case TypeProto.OfSparseTensor tensor ->
          "sparse " + tensor.shape().map(OnnxModelReport::dims).orElse("[...]");
      case TypeProto.OfSequence(TypeProto element) -> "sequence of " + type(element);
      case TypeProto.OfOptional(TypeProto element) -> "optional " + type(element);
      case TypeProto.OfMap(int key, TypeProto value) -> "map to " + type(value);
      case TypeProto.Unknown unknown -> "unknown";
    };
  }

  private static String dims(List<Dimension> dims) {
    return dims.stream()
        .map(
            dim ->
                switch (dim) {
                  case Dimension.Value(long extent) -> Long.toString(extent);
                  case Dimension.Param(String name) -> name;
                  case Dimension.Unspecified unspecified -> "?";
                })
        .collect(Collectors.joining(", ", "[", "]"));
  }
}
