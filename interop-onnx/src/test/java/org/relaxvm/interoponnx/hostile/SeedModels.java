package org.relaxvm.interoponnx.hostile;

import com.google.protobuf.Message;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.interoponnx.OnnxMessages;
import org.relaxvm.interoponnx.OnnxModels;
import org.relaxvm.interoponnx.cases.OnnxCase;

/** Models that are sound: what is damaged begins as one of these. */
final class SeedModels {
  static final String DOMAIN = "com.example";
  private static final Path CASES = Path.of("../../shared/onnx-tests");
  private static final int MAX_BYTES = 20_000;

  private SeedModels() {}

  /** Models of this class, and those of the ONNX project where they are there. */
  static List<Message> all() throws IOException {
    List<Message> models = new ArrayList<>();
    // Each of our own as often as many of the others: they have what those lack.
    for (int i = 0; i < 20; i++) {
      models.addAll(own());
    }
    if (!Files.isDirectory(CASES)) {
      System.out.println("no models of the ONNX project in " + CASES.toAbsolutePath());
      return models;
    }
    for (String archive : List.of("node", "simple", "pytorch-operator", "pytorch-converted")) {
      for (OnnxCase testCase : OnnxCase.read(CASES.resolve(archive + ".zip"))) {
        if (testCase.model().byteSize() <= MAX_BYTES) {
          models.add(ModelMutator.model(testCase.model().toArray(ValueLayout.JAVA_BYTE)));
        }
      }
    }
    return models;
  }

  static List<Message> own() {
    return List.of(
        shapes().proto(),
        choice().proto(),
        loop().proto(),
        scan().proto(),
        functions().proto(),
        sequences().proto(),
        network().proto(),
        tables().proto());
  }

  /** Arithmetic on shapes, that is computed while the model is imported. */
  private static OnnxModels shapes() {
    return new OnnxModels(18)
        .input("x", DType.FLOAT32, "batch", "2*half")
        .input("like", DType.FLOAT32, "half")
        .initializer("one", Tensor.scalar(1L))
        .initializer("two", Tensor.of(new long[] {2}, Shape.of(1)))
        .initializer("zero", Tensor.scalar(0L))
        .initializer("axes", Tensor.of(new long[] {0}, Shape.of(1)))
        .initializer("four", Tensor.of(new long[] {2, 2}, Shape.of(2)))
        .node("Shape", List.of("x"), List.of("shape"))
        .node("Gather", List.of("shape", "zero"), List.of("row"))
        .node("Unsqueeze", List.of("row", "axes"), List.of("rows"))
        .node("Gather", List.of("shape", "one"), List.of("column"))
        .node("Range", List.of("zero", "column", "one"), List.of("range"))
        .node("Unsqueeze", List.of("column", "axes"), List.of("columns"))
        .node("Div", List.of("columns", "two"), List.of("halves"))
        .node("Concat", List.of("rows", "halves", "two"), List.of("target"), Map.of("axis", 0))
        .node("ConstantOfShape", List.of("four"), List.of("zeros"))
        .node("Tile", List.of("four", "two"), List.of("tiled"))
        .node("Expand", List.of("tiled", "tiled"), List.of("expanded"))
        .node("Reshape", List.of("x", "target"), List.of("y"))
        .output("y", DType.FLOAT32, "batch", "half", 2)
        .output("range", DType.INT64, "n")
        .output("zeros", DType.FLOAT32, 2, 2)
        .output("expanded", DType.INT64, "a", "b");
  }

  private static OnnxModels choice() {
    Message whenTrue =
        OnnxModels.subgraph()
            .initializer("axes", Tensor.of(new long[] {0}, Shape.of(1)))
            .node("Squeeze", List.of("x", "axes"), List.of("r"))
            .output("r", DType.FLOAT32, "k")
            .graph();
    Message inner =
        OnnxModels.subgraph()
            .node("Identity", List.of("x"), List.of("s"))
            .output("s", DType.FLOAT32, 1, "k")
            .graph();
    Message whenFalse =
        OnnxModels.subgraph()
            .node(
                "If",
                List.of("c"),
                List.of("r"),
                Map.of("then_branch", inner, "else_branch", inner))
            .output("r", DType.FLOAT32, 1, "k")
            .graph();
    return new OnnxModels(18)
        .input("c", DType.BOOL)
        .input("x", DType.FLOAT32, 1, "k")
        .node(
            "If",
            List.of("c"),
            List.of("y"),
            Map.of("then_branch", whenTrue, "else_branch", whenFalse))
        .node("Neg", List.of("y"), List.of("z"))
        .output("z", DType.FLOAT32, "k");
  }

  private static OnnxModels loop() {
    Message body =
        OnnxModels.subgraph()
            .input("i", DType.INT64)
            .input("goes", DType.BOOL)
            .input("sum", DType.FLOAT32, "n")
            .node("Add", List.of("sum", "x"), List.of("next"))
            .node("Concat", List.of("next", "x"), List.of("longer"), Map.of("axis", 0))
            .node("Identity", List.of("goes"), List.of("more"))
            .output("more", DType.BOOL)
            .output("next", DType.FLOAT32, "n")
            .output("next", DType.FLOAT32, "n")
            .graph();
    return new OnnxModels(18)
        .input("trips", DType.INT64)
        .input("x", DType.FLOAT32, 3)
        .initializer("three", Tensor.scalar(3L))
        .initializer("yes", Tensor.of(new boolean[] {true}, Shape.of()))
        .node("Loop", List.of("trips", "yes", "x"), List.of("last", "all"), Map.of("body", body))
        .node("Loop", List.of("three", "", "last"), List.of("a", "b"), Map.of("body", body))
        .output("a", DType.FLOAT32, 3)
        .output("b", DType.FLOAT32, 3, 3)
        .output("all", DType.FLOAT32, "n", 3);
  }

  private static OnnxModels scan() {
    Message body =
        OnnxModels.subgraph()
            .input("sum", DType.FLOAT32, 2)
            .input("row", DType.FLOAT32, 2)
            .node("Add", List.of("sum", "row"), List.of("next"))
            .node("Mul", List.of("next", "row"), List.of("part"))
            .output("next", DType.FLOAT32, 2)
            .output("part", DType.FLOAT32, 2)
            .graph();
    return new OnnxModels(18)
        .input("x", DType.FLOAT32, "n", 2)
        .initializer("zero", Tensor.of(new float[2], Shape.of(2)))
        .node(
            "Scan",
            List.of("zero", "x"),
            List.of("last", "parts"),
            Map.of("body", body, "num_scan_inputs", 1, "scan_input_axes", List.of(0)))
        .output("last", DType.FLOAT32, 2)
        .output("parts", DType.FLOAT32, "n", 2);
  }

  /** A function with some nodes. */
  static Message function(String name, Message... nodes) {
    OnnxMessages.Builder function =
        OnnxMessages.builder("FunctionProto")
            .set("name", name)
            .set("domain", DOMAIN)
            .add("input", "x")
            .add("output", "y")
            .add("attribute_proto", OnnxModels.attribute("slope", 0.5f))
            .add("node", (Object[]) nodes);
    for (String domain : List.of("", DOMAIN)) {
      function.add(
          "opset_import",
          OnnxMessages.builder("OperatorSetIdProto")
              .set("domain", domain)
              .set("version", 18L)
              .build());
    }
    return function.build();
  }

  private static OnnxModels functions() {
    Message slope =
        OnnxMessages.builder("AttributeProto")
            .set("name", "alpha")
            .set("type", 1)
            .set("ref_attr_name", "slope")
            .build();
    Message leaky =
        OnnxMessages.builder("NodeProto")
            .set("op_type", "LeakyRelu")
            .add("input", "x")
            .add("output", "y")
            .add("attribute", slope)
            .build();
    Message call = OnnxModels.nodeOf(DOMAIN, "Leaky", List.of("x"), List.of("h"), Map.of());
    Message neg = OnnxModels.nodeOf("", "Neg", List.of("h"), List.of("y"), Map.of());
    return new OnnxModels(18)
        .opset(DOMAIN, 1)
        .function(function("Leaky", leaky))
        .function(function("Outer", call, neg))
        .input("x", DType.FLOAT32, 2, 2)
        .node(DOMAIN, "Outer", List.of("x"), List.of("a"), Map.of("slope", 0.25f))
        .node(DOMAIN, "Leaky", List.of("a"), List.of("b"), Map.of())
        .output("b", DType.FLOAT32, 2, 2);
  }

  private static OnnxModels sequences() {
    Message vector = OnnxModels.tensorType(DType.FLOAT32, "n");
    return new OnnxModels(18)
        .input("s", OnnxModels.sequenceType(vector))
        .input("o", OnnxModels.optionalType(vector))
        .input("a", DType.FLOAT32, 4)
        .initializer("at", Tensor.scalar(0L))
        .initializer("parts", Tensor.of(new long[] {1, 3}, Shape.of(2)))
        .node("SequenceInsert", List.of("s", "a", "at"), List.of("t"))
        .node("SequenceAt", List.of("t", "at"), List.of("e"))
        .node("SplitToSequence", List.of("a", "parts"), List.of("split"))
        .node("SequenceLength", List.of("split"), List.of("length"))
        .node("ConcatFromSequence", List.of("split"), List.of("joined"), Map.of("axis", 0))
        .node("OptionalHasElement", List.of("o"), List.of("has"))
        .output("e", DType.FLOAT32, "k")
        .output("length", DType.INT64)
        .output("joined", DType.FLOAT32, 4)
        .output("has", DType.BOOL);
  }

  /** A small network with weights, pads, sizes and a sparse tensor. */
  private static OnnxModels network() {
    Message values = OnnxModels.tensor("bias", Tensor.of(new float[] {1, 2}, Shape.of(2)));
    Message indices = OnnxModels.tensor("", Tensor.of(new long[] {0, 2}, Shape.of(2)));
    Message sparse =
        OnnxMessages.builder("SparseTensorProto")
            .set("values", values)
            .set("indices", indices)
            .add("dims", 4L)
            .build();
    return new OnnxModels(18)
        .input("x", DType.FLOAT32, "n", 2, 4, 4)
        .initializer("w", Tensor.of(new float[2 * 2 * 3 * 3], Shape.of(2, 2, 3, 3)))
        .initializer("pads", Tensor.of(new long[] {0, 0, 1, 1, 0, 0, 1, 1}, Shape.of(8)))
        .initializer("scales", Tensor.of(new float[] {1, 1, 2, 2}, Shape.of(4)))
        .initializer("k", Tensor.of(new long[] {2}, Shape.of(1)))
        .node("Conv", List.of("x", "w"), List.of("c"), Map.of("pads", List.of(1, 1, 1, 1)))
        .node("Pad", List.of("c", "pads"), List.of("p"))
        .node("MaxPool", List.of("p"), List.of("m"), Map.of("kernel_shape", List.of(3, 3)))
        .node("Resize", List.of("m", "", "scales"), List.of("r"), Map.of("mode", "linear"))
        .node("ReduceMean", List.of("r"), List.of("mean"), Map.of("keepdims", 0))
        .node("TopK", List.of("x", "k"), List.of("top", "where"), Map.of("axis", -1))
        .node("Add", List.of("x", "bias"), List.of("sum"))
        .node("Softmax", List.of("sum"), List.of("soft"), Map.of("axis", 1))
        .sparseInitializer(sparse)
        .output("mean", DType.FLOAT32)
        .output("top", DType.FLOAT32, "n", 2, 4, 2)
        .output("soft", DType.FLOAT32, "n", 2, 4, 4);
  }

  private static OnnxModels tables() {
    return new OnnxModels(18)
        .opset("ai.onnx.ml", 3)
        .input("x", DType.FLOAT32, "n", 2)
        .node(
            "ai.onnx.ml",
            "TreeEnsembleRegressor",
            List.of("x"),
            List.of("y"),
            Map.ofEntries(
                Map.entry("n_targets", 1),
                Map.entry("nodes_treeids", List.of(0, 0, 0)),
                Map.entry("nodes_nodeids", List.of(0, 1, 2)),
                Map.entry("nodes_featureids", List.of(1, 0, 0)),
                Map.entry("nodes_modes", List.of("BRANCH_LEQ", "LEAF", "LEAF")),
                Map.entry("nodes_values", List.of(0.5f, 0f, 0f)),
                Map.entry("nodes_truenodeids", List.of(1, 0, 0)),
                Map.entry("nodes_falsenodeids", List.of(2, 0, 0)),
                Map.entry("target_treeids", List.of(0, 0)),
                Map.entry("target_nodeids", List.of(1, 2)),
                Map.entry("target_ids", List.of(0, 0)),
                Map.entry("target_weights", List.of(1f, 2f))))
        .node(
            "ai.onnx.ml",
            "Scaler",
            List.of("x"),
            List.of("z"),
            Map.of("offset", List.of(1f, 2f), "scale", List.of(2f, 2f)))
        .output("y", DType.FLOAT32, "n", 1)
        .output("z", DType.FLOAT32, "n", 2);
  }
}
