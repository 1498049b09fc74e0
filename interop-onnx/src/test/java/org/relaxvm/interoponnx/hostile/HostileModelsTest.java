package org.relaxvm.interoponnx.hostile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.Message;
import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.interoponnx.OnnxMessages;
import org.relaxvm.interoponnx.OnnxModel;
import org.relaxvm.interoponnx.OnnxModels;
import org.relaxvm.interoponnx.options.OnnxLimits;
import org.relaxvm.interoponnx.options.OnnxOptions;
import org.relaxvm.vmcore.program.Program;

/** Small files that ask for much depth, time or memory. */
@Timeout(120)
class HostileModelsTest {
  private static final int MANY = 1_000_000;
  private static final int DEEP = 10_000;
  private static final int MOST_BYTES_OF_A_FIELD = 6;
  private static final long FEW_NODES = 5_000;
  private static final long HUGE = 1L << 40;

  private static AbstractThrowableAssert<?, ? extends Throwable> assertRefused(OnnxModels model) {
    return assertThatThrownBy(() -> model.model().compile(OnnxOptions.DEFAULT))
        .isInstanceOf(RelaxException.class);
  }

  /** Refused for its nodes; fewer are allowed than by default, to save time. */
  private static void assertTakesTooManyNodes(OnnxModels model) {
    OnnxOptions options =
        OnnxOptions.DEFAULT.withLimits(OnnxLimits.DEFAULT.withMaxNodes(FEW_NODES));
    assertThatThrownBy(() -> model.model().compile(options))
        .isInstanceOf(MalformedFileException.class)
        .hasMessage(
            """
            the ONNX model takes more than 5000 nodes, those of functions and of loops that are \
            unrolled counted each time
              what to do: unroll less (OnnxOptions.withMaxUnroll), or allow more \
            (OnnxLimits.withMaxNodes)\
            """);
  }

  private static Program compiled(OnnxModels model) {
    return model.model().compile(OnnxOptions.DEFAULT);
  }

  private static OnnxModel model(ByteString bytes) {
    return OnnxModel.of("m.onnx", MemorySegment.ofArray(bytes.toByteArray()), Path.of("target"));
  }

  private static OnnxModels plain() {
    return new OnnxModels(18).input("x", DType.FLOAT32, 2).output("y", DType.FLOAT32, 2);
  }

  // ---------------------------------------------------------------- depth

  /** A field with content that is not built as a message, whose library has limits, too. */
  private static ByteString field(int number, ByteString... contents) {
    ByteString content = ByteString.copyFrom(List.of(contents));
    ByteString.Output bytes = ByteString.newOutput(16);
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    try {
      out.writeTag(number, 2);
      out.writeUInt32NoTag(content.size());
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteString().concat(content);
  }

  private static ByteString text(int number, String text) {
    return field(number, ByteString.copyFromUtf8(text));
  }

  /**
   * Messages inside each other.
   *
   * @param inner fields from the inside to the outside, which are repeated
   * @param outer fields around all of them, likewise
   */
  private static ByteString nested(List<Integer> inner, List<Integer> outer) {
    byte[] bytes = new byte[DEEP * inner.size() * MOST_BYTES_OF_A_FIELD];
    int at = bytes.length;
    for (int i = 0; i < DEEP * inner.size() + outer.size(); i++) {
      int end = DEEP * inner.size();
      int number = i < end ? inner.get(i % inner.size()) : outer.get(i - end);
      int size = bytes.length - at;
      int length = 1;
      while (size >>> (7 * length) != 0) {
        length++;
      }
      for (int k = length - 1; k >= 0; k--) {
        int more = k == length - 1 ? 0 : 128;
        bytes[--at] = (byte) (((size >>> (7 * k)) & 127) | more);
      }
      bytes[--at] = (byte) (number << 3 | 2);
    }
    return ByteString.copyFrom(bytes, at, bytes.length - at);
  }

  @Test
  void subgraphsThatAreNestedDeeplyAreRefused() {
    // A graph (field 6 of an attribute, 5 of a node, 1 of a graph) around it.
    assertThatThrownBy(() -> model(nested(List.of(6, 5, 1), List.of(7))))
        .isInstanceOf(MalformedFileException.class)
        .hasMessageContaining("messages are nested more than 100 levels deep");
  }

  @Test
  void typesThatAreNestedDeeplyAreRefused() {
    // A sequence (4), or an optional value (9), of a type (1), as that of an input.
    for (int kind : new int[] {4, 9}) {
      assertThatThrownBy(() -> model(nested(List.of(1, kind), List.of(2, 11, 7))))
          .isInstanceOf(MalformedFileException.class)
          .hasMessageContaining("messages are nested more than 100 levels deep");
    }
  }

  @Test
  void groupsThatAreNestedDeeplyAreRefused() {
    byte[] groups = new byte[DEEP];
    Arrays.fill(groups, (byte) (15 << 3 | 3));
    assertThatThrownBy(() -> model(ByteString.copyFrom(groups)))
        .isInstanceOf(MalformedFileException.class)
        .hasMessageContaining("groups are nested more than 100 levels deep");
  }

  /** A subgraph that negates {@code x} as many levels deep as the wire format allows. */
  private static Message negated(int levels) {
    OnnxModels graph = OnnxModels.subgraph().output("y" + levels, DType.FLOAT32, 2);
    return levels == 0
        ? graph.node("Neg", List.of("x"), List.of("y0")).graph()
        : graph
            .node(
                "If",
                List.of("c"),
                List.of("y" + levels),
                Map.of("then_branch", negated(levels - 1), "else_branch", identity(levels)))
            .graph();
  }

  private static Message identity(int level) {
    return OnnxModels.subgraph()
        .node("Identity", List.of("x"), List.of("z" + level))
        .output("z" + level, DType.FLOAT32, 2)
        .graph();
  }

  @Test
  void choicesAsDeepAsAFileHoldsThemAreCompiled() {
    Message inner = negated(30);
    OnnxModels model =
        plain()
            .input("c", DType.BOOL)
            .node(
                "If",
                List.of("c"),
                List.of("y"),
                Map.of("then_branch", inner, "else_branch", identity(99)));
    assertThat(compiled(model)).isNotNull();
  }

  /** A body that adds {@code x} in loops inside each other. */
  private static Message looped(int levels) {
    OnnxModels graph =
        OnnxModels.subgraph()
            .input("i" + levels, DType.INT64)
            .input("go" + levels, DType.BOOL)
            .input("s" + levels, DType.FLOAT32, 2)
            .output("go" + levels, DType.BOOL)
            .output("r" + levels, DType.FLOAT32, 2);
    return levels == 0
        ? graph.node("Add", List.of("s0", "x"), List.of("r0")).graph()
        : graph
            .node(
                "Loop",
                List.of("n", "", "s" + levels),
                List.of("r" + levels),
                Map.of("body", looped(levels - 1)))
            .graph();
  }

  private static OnnxModels loops(int levels) {
    return plain()
        .input("n", DType.INT64)
        .node("Loop", List.of("n", "", "x"), List.of("y"), Map.of("body", looped(levels)));
  }

  /** The types of carried values are found by trials, which are nested, too. */
  @Test
  void loopsAreNestedUntilTheyTakeTooManyNodes() {
    assertThat(compiled(loops(3))).isNotNull();
    assertTakesTooManyNodes(loops(20));
  }

  @Test
  void functionsThatCallEachOtherDeeplyAreRefused() {
    OnnxModels model = plain().opset(SeedModels.DOMAIN, 1);
    for (int i = 0; i < DEEP; i++) {
      model.function(SeedModels.function("f" + i, call("f" + (i + 1), "x", "y")));
    }
    model
        .function(
            SeedModels.function(
                "f" + DEEP, OnnxModels.nodeOf("", "Neg", List.of("x"), List.of("y"), Map.of())))
        .node(call("f0", "x", "y"));
    assertRefused(model)
        .hasMessageContaining(
            "has subgraphs and calls of functions more than 64 levels deep, at f0 of 'y'/f1 of")
        .hasMessageContaining(
            "what to do: make it flatter, or allow more (OnnxLimits.withMaxDepth");
  }

  private static Message call(String function, String input, String output) {
    return OnnxModels.nodeOf(
        SeedModels.DOMAIN, function, List.of(input), List.of(output), Map.of());
  }

  // ---------------------------------------------------------------- numbers

  @Test
  void functionsThatDoubleEachOtherAreRefused() {
    OnnxModels model = plain().opset(SeedModels.DOMAIN, 1);
    for (int i = 0; i < 40; i++) {
      String next = "f" + (i + 1);
      model.function(SeedModels.function("f" + i, call(next, "x", "h"), call(next, "h", "y")));
    }
    model
        .function(
            SeedModels.function(
                "f40", OnnxModels.nodeOf("", "Neg", List.of("x"), List.of("y"), Map.of())))
        .node(call("f0", "x", "y"));
    assertTakesTooManyNodes(model);
  }

  @Test
  void loopsThatAreUnrolledInsideEachOtherAreRefused() {
    Message body = looped(20);
    OnnxModels model =
        plain()
            .initializer("n", Tensor.scalar(16L))
            .node("Loop", List.of("n", "", "x"), List.of("y"), Map.of("body", body));
    assertTakesTooManyNodes(model);
  }

  /** Extents that double: each expression has all parts of the one before twice. */
  @Test
  void expressionsOfExtentsThatDoubleAreComputedAtRunTime() {
    OnnxModels model =
        new OnnxModels(18)
            .input("x", DType.FLOAT32, "n", "m")
            .initializer("seven", Tensor.of(new long[] {7, 5}, Shape.of(2)))
            .node("Shape", List.of("x"), List.of("a0"))
            .output("a40", DType.INT64, 2);
    for (int i = 0; i < 40; i++) {
      String a = "a" + i;
      model
          .node("Mod", List.of(a, "seven"), List.of("m" + i))
          .node("Mul", List.of(a, "m" + i), List.of("p" + i))
          .node("Max", List.of("p" + i, a), List.of("a" + (i + 1)));
    }
    assertThat(compiled(model)).isNotNull();
  }

  @Test
  void aMillionAttributesOfANodeAreRead() {
    ByteString.Output attributes = ByteString.newOutput();
    Message one = OnnxModels.attribute("a", 1);
    ByteString attribute = field(5, one.toByteString());
    for (int i = 0; i < MANY; i++) {
      write(attributes, attribute);
    }
    ByteString node =
        field(1, text(1, "x"), text(2, "y"), text(4, "Neg"), attributes.toByteString());
    ByteString model = plain().proto().toByteString().concat(field(7, node));
    assertThat(bounded(() -> model(model).compile(OnnxOptions.DEFAULT))).isNotNull();
  }

  @Test
  void aMillionEmptyNodesAreRead() {
    ByteString.Output nodes = ByteString.newOutput();
    for (int i = 0; i < MANY; i++) {
      write(nodes, field(1));
    }
    ByteString model =
        plain()
            .node("Neg", List.of("x"), List.of("y"))
            .proto()
            .toByteString()
            .concat(field(7, nodes.toByteString()));
    assertThat(bounded(() -> model(model).compile(OnnxOptions.DEFAULT))).isNotNull();
  }

  @Test
  void moreFieldsThanALimitAreRefused() {
    byte[] bytes = new byte[2 * MANY];
    for (int i = 0; i < bytes.length; i += 2) {
      bytes[i] = 1 << 3 | 2;
    }
    ByteString model = field(7, ByteString.copyFrom(bytes));
    Path file = Path.of("target", "many-nodes.onnx");
    write(file, model);
    assertThatThrownBy(() -> OnnxModel.open(file, OnnxLimits.DEFAULT.withMaxFields(MANY)))
        .isInstanceOf(MalformedFileException.class)
        .hasMessage(
            """
            the ONNX model has more than 1000000 fields in its messages, elements of tensors not \
            included
              what to do: put large lists into tensors, or allow more (OnnxLimits.withMaxFields, \
            at most 1073741823)\
            """);
  }

  /** 100 million numbers, packed: more than lists may have. */
  @Test
  void longListsOfAttributesAreRefused() {
    ByteString numbers = ByteString.copyFrom(new byte[100 * MANY]);
    ByteString attribute = field(5, text(1, "axes"), field(8, numbers));
    ByteString model = field(7, field(1, text(2, "y"), text(4, "Neg"), attribute));
    assertThatThrownBy(() -> model(model))
        .isInstanceOf(MalformedFileException.class)
        .hasMessageContaining("the ONNX model has more than 33554432 fields");
  }

  @Test
  void longListsOfStringsAreRefused() {
    byte[] strings = new byte[80 * MANY];
    for (int i = 0; i < strings.length; i += 2) {
      strings[i] = 9 << 3 | 2;
    }
    ByteString attribute = field(5, text(1, "words"), ByteString.copyFrom(strings));
    ByteString model = field(7, field(1, text(2, "y"), text(4, "Neg"), attribute));
    assertThatThrownBy(() -> model(model))
        .isInstanceOf(MalformedFileException.class)
        .hasMessageContaining("the ONNX model has more than 33554432 fields");
  }

  private static void write(ByteString.Output out, ByteString bytes) {
    try {
      bytes.writeTo(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void write(Path file, ByteString bytes) {
    try {
      Files.write(file, bytes.toByteArray());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  // ---------------------------------------------------------------- sizes

  /** What an action gives, which allocates at most 2 GiB of heap in all. */
  private static <T> T bounded(Supplier<T> action) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    T result = action.get();
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(2L << 30);
    return result;
  }

  private static Tensor vector(long... values) {
    return Tensor.of(values, Shape.of(values.length));
  }

  /** Each makes a huge tensor of nothing; none is made while the model is compiled. */
  @Test
  void hugeTensorsAreNotMadeWhileAModelIsCompiled() {
    List<OnnxModels> models = new ArrayList<>();
    for (String[] node :
        new String[][] {
          {"ConstantOfShape", "huge"},
          {"Expand", "one", "huge"},
          {"Tile", "one", "huge"},
          {"Range", "zero", "many", "step"},
          {"Pad", "one", "widths"},
          {"Resize", "image", "", "scales"},
          {"OneHot", "zero", "many", "pair"},
          {"Split", "one", "huge"},
          {"Upsample", "image", "scales"},
          {"CenterCropPad", "one", "huge"},
          {"Reshape", "one", "huge"},
          {"HannWindow", "many"},
          {"DFT", "signal", "many"}
        }) {
      models.add(
          new OnnxModels(18)
              .initializer("huge", vector(HUGE))
              .initializer("one", Tensor.of(new float[] {1}, Shape.of(1)))
              .initializer("zero", Tensor.scalar(0L))
              .initializer("many", Tensor.scalar(HUGE))
              .initializer("step", Tensor.scalar(1L))
              .initializer("widths", vector(HUGE, HUGE))
              .initializer("pair", Tensor.of(new float[] {0, 1}, Shape.of(2)))
              .initializer("image", Tensor.of(new float[4], Shape.of(1, 1, 2, 2)))
              .initializer("signal", Tensor.of(new float[4], Shape.of(1, 4, 1)))
              .initializer("scales", Tensor.of(new float[] {1, 1, 1e12f, 1e12f}, Shape.of(4)))
              .node(node[0], List.of(node).subList(1, node.length), List.of("y"))
              .output("y", DType.FLOAT32, "a"));
    }
    for (OnnxModels model : models) {
      bounded(() -> compiledOrRefused(model));
    }
  }

  private static boolean compiledOrRefused(OnnxModels model) {
    try {
      return compiled(model) != null;
    } catch (RelaxException e) {
      assertThat(e.isInternal()).isFalse();
      assertThat(e).hasMessageContaining("\n");
      return false;
    }
  }

  @Test
  void axesWithoutNumberAreRefused() {
    Object[] dims = new Object[10_000];
    Arrays.fill(dims, 1L);
    assertRefused(new OnnxModels(18).input("y", DType.FLOAT32, dims).output("y", DType.FLOAT32))
        .hasMessageContaining("a tensor has 10000 axes; expected 32 at most")
        .hasMessageContaining("OnnxLimits.withMaxRank");
    long[] axes = new long[1000];
    Arrays.setAll(axes, i -> i);
    assertRefused(
            plain()
                .initializer("axes", vector(axes))
                .node("Unsqueeze", List.of("x", "axes"), List.of("y")))
        .hasMessageContaining("a tensor has 1001 axes; expected 32 at most");
  }

  @Test
  void sparseTensorsThatAreLargeTogetherAreRefused() {
    OnnxModels model = plain().node("Neg", List.of("x"), List.of("y"));
    for (int i = 0; i < 100; i++) {
      Message sparse =
          OnnxMessages.builder("SparseTensorProto")
              .set("values", OnnxModels.tensor("s" + i, Tensor.of(new float[] {1}, Shape.of(1))))
              .set("indices", OnnxModels.tensor("", vector(3)))
              .add("dims", 1L << 24)
              .build();
      model.sparseInitializer(sparse);
    }
    assertRefused(model)
        .hasMessageContaining("makes constants of more than 268435456 bytes together")
        .hasMessageContaining("OnnxLimits.withMaxConstantBytes");
  }

  @Test
  void tablesThatAnAttributeMakesLargeAreRefused() {
    OnnxModels words =
        new OnnxModels(18)
            .input("x", DType.INT64, 4)
            .node(
                "TfIdfVectorizer",
                List.of("x"),
                List.of("y"),
                Map.of(
                    "mode",
                    "TF",
                    "min_gram_length",
                    1,
                    "max_gram_length",
                    1,
                    "max_skip_count",
                    0,
                    "ngram_counts",
                    List.of(0),
                    "ngram_indexes",
                    List.of(HUGE),
                    "pool_int64s",
                    List.of(1)))
            .output("y", DType.FLOAT32, "n");
    assertRefused(words).hasMessageContaining("makes constants of more than 268435456 bytes");
    OnnxModels trees =
        new OnnxModels(18)
            .opset("ai.onnx.ml", 3)
            .input("x", DType.FLOAT32, 1, 2)
            .node(
                "ai.onnx.ml",
                "TreeEnsembleRegressor",
                List.of("x"),
                List.of("y"),
                Map.of(
                    "n_targets", HUGE,
                    "nodes_treeids", List.of(0),
                    "nodes_nodeids", List.of(0),
                    "nodes_featureids", List.of(0),
                    "nodes_modes", List.of("LEAF"),
                    "nodes_values", List.of(0f),
                    "nodes_truenodeids", List.of(0),
                    "nodes_falsenodeids", List.of(0)))
            .output("y", DType.FLOAT32, 1, "n");
    assertRefused(trees).hasMessageContaining("makes constants of more than 268435456 bytes");
  }
}
