package org.relaxvm.interoponnx.exported;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.interoponnx.OnnxModels;

/** Builds graphs in the spelling of PyTorch's exporters: values are named by numbers. */
final class ExportedGraph {
  private final OnnxModels models;
  private final Random random = new Random(11);
  private int count;

  ExportedGraph(long opset) {
    models = new OnnxModels(opset).opset("com.microsoft", 1);
  }

  OnnxModels models() {
    return models;
  }

  String input(String name, DType dtype, Object... dims) {
    models.input(name, dtype, dims);
    return name;
  }

  void output(String name, String value, DType dtype, Object... dims) {
    models.node("Identity", List.of(value), List.of(name)).output(name, dtype, dims);
  }

  // ---------------------------------------------------------------- nodes

  /** The only result of a node. */
  String node(String operator, String... inputs) {
    return node(operator, Map.of(), inputs);
  }

  /** The only result of a node. */
  String node(String operator, Map<String, ?> attributes, String... inputs) {
    return nodes(operator, 1, attributes, inputs).getFirst();
  }

  /** The results of a node. */
  List<String> nodes(String operator, int results, Map<String, ?> attributes, String... inputs) {
    return nodes("", operator, results, attributes, inputs);
  }

  /** The only result of a node of com.microsoft. */
  String microsoft(String operator, Map<String, ?> attributes, String... inputs) {
    return nodes("com.microsoft", operator, 1, attributes, inputs).getFirst();
  }

  /** The results of a node of a domain. */
  List<String> nodes(
      String domain, String operator, int results, Map<String, ?> attributes, String... inputs) {
    List<String> names =
        IntStream.range(0, results).mapToObj(_ -> "/" + operator + "_output_" + count++).toList();
    models.node(domain, operator, List.of(inputs), names, attributes);
    return names;
  }

  String transpose(String x, long... axes) {
    return node("Transpose", Map.of("perm", Arrays.stream(axes).boxed().toList()), x);
  }

  // ---------------------------------------------------------------- constants

  /** A node that gives a constant. */
  String constant(Tensor tensor) {
    return node("Constant", Map.of("value", tensor));
  }

  String number(double value) {
    return constant(Tensor.of(new float[] {(float) value}, Shape.of()));
  }

  String ints(long... values) {
    return constant(Tensor.of(values, Shape.of(values.length)));
  }

  String integer(long value) {
    return constant(Tensor.of(new long[] {value}, Shape.of()));
  }

  /** An initializer of random elements. */
  String weight(long... dims) {
    String name = "onnx::weight_" + count++;
    models.initializer(name, random(random, dims));
    return name;
  }

  static Tensor random(Random random, long... dims) {
    Shape shape = Shape.of(dims);
    float[] values = new float[(int) shape.elementCount()];
    for (int i = 0; i < values.length; i++) {
      values[i] = 0.4f * (float) random.nextGaussian();
    }
    return Tensor.of(values, shape);
  }

  // ---------------------------------------------------------------- shapes

  /** {@code x.size(axis)}: a scalar. */
  String size(String x, long axis) {
    return node("Gather", Map.of("axis", 0), node("Shape", x), integer(axis));
  }

  /** {@code x.view(dims)}, where each extent is the value of a scalar. */
  String view(String x, String... dims) {
    String[] parts =
        Arrays.stream(dims).map(dim -> node("Unsqueeze", dim, ints(0))).toArray(String[]::new);
    return node("Reshape", x, node("Concat", Map.of("axis", 0), parts));
  }

  /** {@code x.expand(dims)} as TorchScript has it: -1 stands for an extent that stays. */
  String expand(String x, String... dims) {
    String[] parts =
        Arrays.stream(dims).map(dim -> node("Unsqueeze", dim, ints(0))).toArray(String[]::new);
    String wanted = node("Reshape", node("Concat", Map.of("axis", 0), parts), ints(-1));
    String ones =
        node(
            "ConstantOfShape",
            Map.of("value", Tensor.of(new long[] {1}, Shape.of(1))),
            node("Shape", wanted));
    String kept = node("Equal", wanted, node("Mul", ones, integer(-1)));
    return node("Expand", x, node("Where", kept, ones, wanted));
  }

  /** {@code x[..., from:to]}. */
  String slice(String x, long axis, String from, String to) {
    return node(
        "Slice",
        x,
        node("Unsqueeze", from, ints(0)),
        node("Unsqueeze", to, ints(0)),
        ints(axis),
        ints(1));
  }

  // ---------------------------------------------------------------- composites

  String linear(String x, long from, long to) {
    return node("Add", weight(to), node("MatMul", x, weight(from, to)));
  }

  String layerNorm(String x, long size) {
    String mean = node("ReduceMean", last(), x);
    String apart = node("Sub", x, mean);
    String variance = node("ReduceMean", last(), node("Pow", apart, number(2)));
    String root = node("Sqrt", node("Add", variance, number(1e-5)));
    String normal = node("Div", apart, root);
    return node("Add", node("Mul", normal, weight(size)), weight(size));
  }

  String rmsNorm(String x, long size) {
    String mean = node("ReduceMean", last(), node("Pow", x, number(2)));
    String root = node("Sqrt", node("Add", mean, number(1e-5)));
    String normal = node("Mul", x, node("Div", number(1), root));
    return node("Mul", weight(size), normal);
  }

  private static Map<String, Object> last() {
    Map<String, Object> attributes = new LinkedHashMap<>();
    attributes.put("axes", List.of(-1L));
    attributes.put("keepdims", 1);
    return attributes;
  }

  String gelu(String x) {
    String gate = node("Add", node("Erf", node("Div", x, number(Math.sqrt(2)))), number(1));
    return node("Mul", node("Mul", x, gate), number(0.5));
  }

  String newGelu(String x) {
    String cube = node("Mul", node("Pow", x, number(3)), number(0.044715));
    String u = node("Mul", node("Add", x, cube), number(Math.sqrt(2 / Math.PI)));
    return node("Mul", node("Mul", x, number(0.5)), node("Add", node("Tanh", u), number(1)));
  }
}
