package org.relaxvm.interoponnx;

import com.google.protobuf.ByteString;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.relaxvm.api.DType;
import org.relaxvm.api.Tensor;
import org.relaxvm.interoponnx.data.ElementType;

/**
 * Builds models for tests.
 *
 * <pre>{@code
 * OnnxModel model =
 *     new OnnxModels(13)
 *         .input("x", DType.FLOAT32, "n", 3)
 *         .initializer("w", Tensor.of(values, Shape.of(3)))
 *         .node("Add", List.of("x", "w"), List.of("y"))
 *         .output("y", DType.FLOAT32, "n", 3)
 *         .model();
 * }</pre>
 */
public final class OnnxModels {
  private static final long IR_VERSION = 10;

  private final OnnxMessages.Builder graph = OnnxMessages.builder("GraphProto").set("name", "test");
  private final OnnxMessages.Builder model =
      OnnxMessages.builder("ModelProto").set("ir_version", IR_VERSION);

  /**
   * @param opset the version of {@code ai.onnx}
   */
  public OnnxModels(long opset) {
    opset("", opset);
  }

  /** A subgraph: only {@link #graph()} is used. */
  public static OnnxModels subgraph() {
    return new OnnxModels(1);
  }

  /** Imports a domain. */
  public OnnxModels opset(String domain, long version) {
    model.add(
        "opset_import",
        OnnxMessages.builder("OperatorSetIdProto")
            .set("domain", domain)
            .set("version", version)
            .build());
    return this;
  }

  /**
   * Adds an input.
   *
   * @param dims numbers, or names of symbolic extents
   */
  public OnnxModels input(String name, DType dtype, Object... dims) {
    graph.add("input", valueInfo(name, tensorType(dtype, dims)));
    return this;
  }

  /** Adds an input of any type. */
  public OnnxModels input(String name, Message type) {
    graph.add("input", valueInfo(name, type));
    return this;
  }

  /** Adds an output. */
  public OnnxModels output(String name, DType dtype, Object... dims) {
    graph.add("output", valueInfo(name, tensorType(dtype, dims)));
    return this;
  }

  /** Adds an output of any type. */
  public OnnxModels output(String name, Message type) {
    graph.add("output", valueInfo(name, type));
    return this;
  }

  /** Adds an initializer. */
  public OnnxModels initializer(String name, Tensor tensor) {
    graph.add("initializer", tensor(name, tensor));
    return this;
  }

  /** Adds an initializer as a message. */
  public OnnxModels initializer(Message tensor) {
    graph.add("initializer", tensor);
    return this;
  }

  /** Adds a sparse initializer as a message. */
  public OnnxModels sparseInitializer(Message tensor) {
    graph.add("sparse_initializer", tensor);
    return this;
  }

  /** Adds a node of {@code ai.onnx} without attributes. */
  public OnnxModels node(String operator, List<String> inputs, List<String> outputs) {
    return node("", operator, inputs, outputs, Map.of());
  }

  /** Adds a node of {@code ai.onnx}. */
  public OnnxModels node(
      String operator, List<String> inputs, List<String> outputs, Map<String, ?> attributes) {
    return node("", operator, inputs, outputs, attributes);
  }

  /**
   * Adds a node.
   *
   * @param attributes as for {@link #attribute}
   */
  public OnnxModels node(
      String domain,
      String operator,
      List<String> inputs,
      List<String> outputs,
      Map<String, ?> attributes) {
    return node(nodeOf(domain, operator, inputs, outputs, attributes));
  }

  /** Adds a node of {@code ai.onnx} with a name, without attributes. */
  public OnnxModels named(String name, String operator, List<String> inputs, List<String> outputs) {
    return node(
        nodeOf("", operator, inputs, outputs, Map.of()).toBuilder()
            .setField(OnnxMessages.field("NodeProto", "name"), name)
            .build());
  }

  /** Adds a node as a message. */
  public OnnxModels node(Message node) {
    graph.add("node", node);
    return this;
  }

  /** Adds a function of the model. */
  public OnnxModels function(Message function) {
    model.add("functions", function);
    return this;
  }

  /** The graph. */
  public DynamicMessage graph() {
    return graph.build();
  }

  /** The model as a message. */
  public DynamicMessage proto() {
    return model.set("graph", graph()).build();
  }

  /** The content of a file with the model. */
  public byte[] bytes() {
    return proto().toByteArray();
  }

  /** The model. */
  public OnnxModel model() {
    return OnnxModel.of("test.onnx", MemorySegment.ofArray(bytes()), Path.of("").toAbsolutePath());
  }

  // ---------------------------------------------------------------- messages

  /** A node as a message. */
  public static DynamicMessage nodeOf(
      String domain,
      String operator,
      List<String> inputs,
      List<String> outputs,
      Map<String, ?> attributes) {
    OnnxMessages.Builder node =
        OnnxMessages.builder("NodeProto")
            .set("op_type", operator)
            .set("domain", domain)
            .add("input", inputs.toArray())
            .add("output", outputs.toArray());
    attributes.forEach((key, value) -> node.add("attribute", attribute(key, value)));
    return node.build();
  }

  /**
   * An attribute.
   *
   * @param value a number (Integer, Long: an integer; Float, Double: a float), a String, a Tensor,
   *     a graph or tensor as a message, or a list of one of these but the last
   */
  public static DynamicMessage attribute(String name, Object value) {
    OnnxMessages.Builder attribute = OnnxMessages.builder("AttributeProto").set("name", name);
    switch (value) {
      case Float real -> attribute.set("type", 1).set("f", real);
      case Double real -> attribute.set("type", 1).set("f", real.floatValue());
      case Number number -> attribute.set("type", 2).set("i", number.longValue());
      case String string -> attribute.set("type", 3).set("s", ByteString.copyFromUtf8(string));
      case Tensor tensor -> attribute.set("type", 4).set("t", tensor("", tensor));
      case Message message when message.getDescriptorForType().getName().equals("GraphProto") ->
          attribute.set("type", 5).set("g", message);
      case Message message -> attribute.set("type", 4).set("t", message);
      case List<?> list -> addList(attribute, list);
      default -> throw new IllegalArgumentException(name + ": " + value);
    }
    return attribute.build();
  }

  private static void addList(OnnxMessages.Builder attribute, List<?> list) {
    Object first = list.isEmpty() ? 0L : list.getFirst();
    attribute.set("type", first instanceof String ? 8 : isReal(first) ? 6 : 7);
    for (Object element : list) {
      switch (element) {
        case String string -> attribute.add("strings", ByteString.copyFromUtf8(string));
        case Number number when isReal(number) -> attribute.add("floats", number.floatValue());
        case Number number -> attribute.add("ints", number.longValue());
        default -> throw new IllegalArgumentException("element " + element);
      }
    }
  }

  private static boolean isReal(Object value) {
    return value instanceof Float || value instanceof Double;
  }

  /** A tensor with raw data. */
  public static DynamicMessage tensor(String name, Tensor tensor) {
    OnnxMessages.Builder proto =
        OnnxMessages.builder("TensorProto")
            .set("name", name)
            .set("data_type", ElementType.of(tensor.dtype()).number())
            .set(
                "raw_data",
                ByteString.copyFrom(
                    tensor.segment().asSlice(0, tensor.byteSize()).toArray(ValueLayout.JAVA_BYTE)));
    for (long dim : tensor.shape().toArray()) {
      proto.add("dims", dim);
    }
    return proto.build();
  }

  /** A tensor of strings on one axis. */
  public static DynamicMessage strings(String name, List<String> values) {
    OnnxMessages.Builder proto =
        OnnxMessages.builder("TensorProto")
            .set("name", name)
            .set("data_type", ElementType.STRING.number())
            .add("dims", (long) values.size());
    values.forEach(value -> proto.add("string_data", ByteString.copyFromUtf8(value)));
    return proto.build();
  }

  /** A tensor type; dims are numbers, or names of symbolic extents. */
  public static DynamicMessage tensorType(DType dtype, Object... dims) {
    return tensorType(ElementType.of(dtype), dims);
  }

  /** A tensor type; dims are numbers, or names of symbolic extents. */
  public static DynamicMessage tensorType(ElementType type, Object... dims) {
    OnnxMessages.Builder shape = OnnxMessages.builder("TensorShapeProto");
    for (Object dim : dims) {
      OnnxMessages.Builder extent = OnnxMessages.builder("DimensionProto");
      shape.add(
          "dim",
          (dim instanceof Number number
                  ? extent.set("dim_value", number.longValue())
                  : extent.set("dim_param", dim))
              .build());
    }
    return OnnxMessages.builder("TypeProto")
        .set(
            "tensor_type",
            OnnxMessages.builder("TensorTypeProto")
                .set("elem_type", type.number())
                .set("shape", shape.build())
                .build())
        .build();
  }

  /** The type of sequences. */
  public static DynamicMessage sequenceType(Message element) {
    return OnnxMessages.builder("TypeProto")
        .set(
            "sequence_type",
            OnnxMessages.builder("SequenceTypeProto").set("elem_type", element).build())
        .build();
  }

  /** The type of maps. */
  public static DynamicMessage mapType(ElementType key, Message value) {
    return OnnxMessages.builder("TypeProto")
        .set(
            "map_type",
            OnnxMessages.builder("MapTypeProto")
                .set("key_type", key.number())
                .set("value_type", value)
                .build())
        .build();
  }

  /** The type of values that may be absent. */
  public static DynamicMessage optionalType(Message element) {
    return OnnxMessages.builder("TypeProto")
        .set(
            "optional_type",
            OnnxMessages.builder("SequenceTypeProto").set("elem_type", element).build())
        .build();
  }

  private static DynamicMessage valueInfo(String name, Message type) {
    return OnnxMessages.builder("ValueInfoProto").set("name", name).set("type", type).build();
  }
}
