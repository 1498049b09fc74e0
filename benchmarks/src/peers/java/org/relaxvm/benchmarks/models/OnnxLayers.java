package org.relaxvm.benchmarks.models;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.OperatorSetIdProto;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.benchmarks.onnx.OnnxParts;

/** Makes an ONNX graph of a model, of ONNX's own operators as exporters write them. */
final class OnnxLayers implements Layers<String> {
  private final GraphProto.Builder graph = GraphProto.newBuilder().setName("main");
  private int names;

  private OnnxLayers() {}

  /** The file; outputs are float32 of any extents. */
  static byte[] file(Model model, List<Integer> ranksOfOutputs) {
    OnnxLayers layers = new OnnxLayers();
    for (Model.Input input : model.inputs()) {
      int elements = input.dtype().equals(DType.INT64) ? OnnxParts.INT64 : OnnxParts.FLOAT32;
      layers.graph.addInput(OnnxParts.value(input.name(), elements, input.dims()));
    }
    List<String> inputs = model.inputs().stream().map(Model.Input::name).toList();
    List<String> outputs = model.build(layers, inputs, new Weights(Model.SEED));
    for (int i = 0; i < outputs.size(); i++) {
      int index = i;
      List<Object> dims =
          IntStream.range(0, ranksOfOutputs.get(i))
              .<Object>mapToObj(axis -> "extent" + index + "_" + axis)
              .toList();
      layers.graph.addOutput(OnnxParts.value(outputs.get(i), OnnxParts.FLOAT32, dims));
    }
    return ModelProto.newBuilder()
        .setIrVersion(OnnxParts.FORMAT)
        .addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(OnnxParts.OPERATORS))
        .setGraph(layers.graph)
        .build()
        .toByteArray();
  }

  private String unique(String hint) {
    return hint + names++;
  }

  private String constant(Tensor values) {
    String name = unique("weight");
    graph.addInitializer(OnnxParts.constant(name, values));
    return name;
  }

  private String node(String operator, List<String> inputs, AttributeProto... attributes) {
    String name = unique("value");
    graph.addNode(
        NodeProto.newBuilder()
            .setName(unique(operator))
            .setOpType(operator)
            .addAllInput(inputs)
            .addAllAttribute(List.of(attributes))
            .addOutput(name));
    return name;
  }

  @Override
  public String dense(String x, Tensor weight, Tensor bias) {
    return add(matmul(x, constant(weight)), constant(bias));
  }

  @Override
  public String matmul(String a, String b) {
    return node("MatMul", List.of(a, b));
  }

  @Override
  public String add(String a, String b) {
    return node("Add", List.of(a, b));
  }

  @Override
  public String scale(String x, float factor) {
    return node("Mul", List.of(x, constant(Tensor.of(new float[] {factor}, Shape.of()))));
  }

  @Override
  public String relu(String x) {
    return node("Relu", List.of(x));
  }

  @Override
  public String gelu(String x) {
    return node("Gelu", List.of(x));
  }

  @Override
  public String softmax(String x) {
    return node("Softmax", List.of(x), OnnxParts.attribute("axis", -1));
  }

  @Override
  public String layerNorm(String x, Tensor gamma, Tensor beta) {
    return node(
        "LayerNormalization",
        List.of(x, constant(gamma), constant(beta)),
        OnnxParts.attribute("axis", -1),
        OnnxParts.attribute("epsilon", 1e-5f));
  }

  @Override
  public String take(Tensor table, String indices) {
    return node("Gather", List.of(constant(table), indices));
  }

  @Override
  public String reshape(String x, long... dims) {
    String shape = unique("shape");
    graph.addInitializer(OnnxParts.indices(shape, dims));
    return node("Reshape", List.of(x, shape));
  }

  @Override
  public String transpose(String x, int... axes) {
    long[] order = IntStream.of(axes).asLongStream().toArray();
    return node("Transpose", List.of(x), OnnxParts.attribute("perm", order));
  }

  @Override
  public String concat(String a, String b, int axis) {
    return node("Concat", List.of(a, b), OnnxParts.attribute("axis", axis));
  }

  @Override
  public String convolution(String x, Tensor filters, Tensor bias, long stride) {
    long window = filters.shape().dim(2);
    return node(
        "Conv",
        List.of(x, constant(filters), constant(bias)),
        OnnxParts.attribute("kernel_shape", new long[] {window, window}),
        OnnxParts.attribute("strides", new long[] {stride, stride}),
        OnnxParts.attribute("pads", LongStream.generate(() -> window / 2).limit(4).toArray()));
  }

  @Override
  public String maxPool(String x, long extent) {
    return node(
        "MaxPool",
        List.of(x),
        OnnxParts.attribute("kernel_shape", new long[] {extent, extent}),
        OnnxParts.attribute("strides", new long[] {extent, extent}));
  }

  @Override
  public String globalAverage(String x) {
    return node("Flatten", List.of(node("GlobalAveragePool", List.of(x))));
  }

  @Override
  public String attention(String query, String key, String value, int width) {
    String scores = matmul(transpose(query, 0, 2, 1, 3), transpose(key, 0, 2, 3, 1));
    String shares = softmax(scale(scores, (float) (1 / Math.sqrt(width))));
    return transpose(matmul(shares, transpose(value, 0, 2, 1, 3)), 0, 2, 1, 3);
  }
}
