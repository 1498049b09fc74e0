package org.relaxvm.benchmarks.files;

import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.OperatorSetIdProto;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.benchmarks.onnx.OnnxParts;

/** Models with as many nodes as one likes, each with constants of its own. */
final class GeneratedModel {
  private static final int ROWS = 8;
  private static final int COLUMNS = 16;
  private static final int ACTIVATIONS = 3;
  private static final String SYMBOL = "rows";

  private final GraphProto.Builder graph = GraphProto.newBuilder().setName("generated");
  private final int limit;
  private int nodes;
  private int values;

  private GeneratedModel(int limit) {
    this.limit = limit;
  }

  /**
   * Writes a model.
   *
   * @param kind {@code chain}: matrix multiplications, sums, products, reshapes, transposes and
   *     activations, one after the other; {@code dynamic}: such a chain for any number of rows,
   *     with reshapes to shapes that nodes compute; {@code wide}: sums of one input and constants,
   *     all needed until they are added up
   */
  static void write(Path file, String kind, int nodes) throws IOException {
    GeneratedModel model = new GeneratedModel(nodes);
    boolean isDynamic = kind.equals("dynamic");
    List<Object> dims = List.of(isDynamic ? SYMBOL : (Object) (long) ROWS, (long) COLUMNS);
    model.graph.addInput(OnnxParts.value("x", OnnxParts.FLOAT32, dims));
    String result =
        switch (kind) {
          case "chain" -> model.chain();
          case "dynamic" -> model.dynamic();
          case "wide" -> model.wide();
          default ->
              throw new IllegalArgumentException(
                  "no kind of model '" + kind + "'; there are chain, dynamic and wide");
        };
    model.graph.addOutput(OnnxParts.value(result, OnnxParts.FLOAT32, dims));
    try (OutputStream out = Files.newOutputStream(file)) {
      ModelProto.newBuilder()
          .setIrVersion(OnnxParts.FORMAT)
          .addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(OnnxParts.OPERATORS))
          .setGraph(model.graph)
          .build()
          .writeTo(out);
    }
  }

  /** Every ten nodes give a matrix of the extents that they take. */
  private String chain() {
    String value = "x";
    while (nodes < limit) {
      value =
          switch (nodes % 10) {
            case 0 -> node("MatMul", value, matrix(COLUMNS, COLUMNS));
            case 1 -> node("Add", value, matrix(COLUMNS));
            case 2 -> node(activation(), value);
            case 3 -> node("Mul", value, matrix(ROWS, COLUMNS));
            case 4 -> node("Reshape", value, indices(COLUMNS, ROWS));
            case 5 -> node("MatMul", value, matrix(ROWS, ROWS));
            case 6 -> node("Sub", value, matrix(1));
            case 7 -> node("Transpose", value);
            case 8 -> node("Add", value, matrix(ROWS, 1));
            default -> node("Reshape", value, indices(ROWS, COLUMNS));
          };
    }
    return value;
  }

  private String dynamic() {
    String value = "x";
    while (nodes < limit) {
      value = node("MatMul", value, matrix(COLUMNS, COLUMNS));
      value = node(activation(), node("Add", value, matrix(COLUMNS)));
      String shape = node("Shape", value);
      String rows = node("Gather", shape, indices(0));
      String apart = node("Concat", rows, indices(2), indices(COLUMNS / 2));
      value = node("Mul", node("Reshape", value, apart), matrix(2, COLUMNS / 2));
      value = node("Reshape", value, node("Concat", rows, indices(COLUMNS)));
    }
    return value;
  }

  private String wide() {
    Deque<String> sums = new ArrayDeque<>();
    while (nodes < limit / 3 * 2) {
      sums.add(node(activation(), node("MatMul", "x", matrix(COLUMNS, COLUMNS))));
    }
    while (sums.size() > 1) {
      sums.add(node("Add", sums.remove(), sums.remove()));
    }
    return sums.remove();
  }

  private String activation() {
    return List.of("Relu", "Tanh", "Sigmoid").get(nodes / 10 % ACTIVATIONS);
  }

  private String node(String operator, String... inputs) {
    String result = "v" + ++nodes;
    NodeProto.Builder node =
        NodeProto.newBuilder()
            .setName("node" + nodes)
            .setOpType(operator)
            .addAllInput(List.of(inputs))
            .addOutput(result);
    if (operator.equals("Concat")) {
      node.addAttribute(OnnxParts.attribute("axis", 0));
    }
    graph.addNode(node);
    return result;
  }

  /** Numbers that no other constant of the model has. */
  private String matrix(long... dims) {
    Shape shape = Shape.of(dims);
    int first = ++values;
    float[] elements = new float[(int) shape.elementCount()];
    for (int i = 0; i < elements.length; i++) {
      elements[i] = ((first * 31L + i * 17L) % 199 - 99) / (100f * COLUMNS) + first * 1e-7f;
    }
    String name = "c" + first;
    graph.addInitializer(OnnxParts.constant(name, Tensor.of(elements, shape)));
    return name;
  }

  private String indices(long... numbers) {
    String name = "s" + ++values;
    graph.addInitializer(OnnxParts.indices(name, numbers));
    return name;
  }
}
