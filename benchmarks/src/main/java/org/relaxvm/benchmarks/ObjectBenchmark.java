package org.relaxvm.benchmarks;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.object.ObjectTypes;
import org.relaxvm.api.object.ObjectView;
import org.relaxvm.objects.compare.CompareOptions;
import org.relaxvm.objects.compare.StructuralEquality;
import org.relaxvm.objects.graph.ObjectGraph;

/** JSON graphs of 50 MB, and fields by view. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xmx4g")
@Warmup(iterations = 3, time = 3)
@Measurement(iterations = 5, time = 3)
public class ObjectBenchmark {
  private static final int TEXT_BYTES = 50_000_000;
  private static final ObjectTypes TYPES = ObjectTypes.discover();

  /** What a graph consists of. */
  public enum Content {
    /** Expressions, of 100 to 200 bytes a node. */
    NODES,
    /** Tensors of 1 MiB. */
    TENSORS
  }

  /** A text and its value. */
  @State(Scope.Benchmark)
  public static class Graph {
    /** What it consists of. */
    @Param public Content content = Content.NODES;

    private String text = "";
    private @Nullable Object value;
    private @Nullable Object again;

    /** Makes both. */
    @Setup(Level.Trial)
    public void make() {
      List<Object> elements = new ArrayList<>();
      if (content == Content.NODES) {
        Object type = TYPES.require("ir.PrimType").create(Map.of("dtype", DType.INT64));
        for (int i = 0; i < TEXT_BYTES / 290; i++) {
          Object n = create("ir.Var", Map.of("ty", type, "name", "n" + i));
          Object imm = create("ir.IntImm", Map.of("ty", type, "value", (long) i));
          elements.add(create("tirx.Add", Map.of("ty", type, "a", n, "b", imm)));
        }
      } else {
        for (int i = 0; i < (TEXT_BYTES * 3 / 4) >> 20; i++) {
          elements.add(Tensor.zeros(DType.FLOAT32, Shape.of(1 << 18)));
        }
      }
      text = new ObjectGraph(elements).toJson(TYPES);
      value = ObjectGraph.parse(text, TYPES).root();
      again = ObjectGraph.parse(text, TYPES).root();
      System.out.println("bytes: " + text.getBytes(StandardCharsets.UTF_8).length);
    }

    private static Object create(String key, Map<String, ?> values) {
      return TYPES.require(key).create(values);
    }
  }

  /** A node. */
  @State(Scope.Benchmark)
  public static class Node {
    private final ObjectView view =
        ObjectView.of(TYPES, TYPES.require("ir.IntImm").create(Map.of("value", 3L)));
  }

  /** Reads a text. */
  @Benchmark
  public @Nullable Object read(Graph graph) {
    return ObjectGraph.parse(graph.text, TYPES).root();
  }

  /** Writes a value. */
  @Benchmark
  public int write(Graph graph) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream(TEXT_BYTES);
    try (OutputStream to = out) {
      new ObjectGraph(graph.value).write(to, TYPES);
    }
    return out.size();
  }

  /** Compares two equal values. */
  @Benchmark
  public boolean compare(Graph graph) {
    return StructuralEquality.areEqual(
        graph.value, graph.again, TYPES, new CompareOptions(true, false));
  }

  /** A field by name. */
  @Benchmark
  @OutputTimeUnit(TimeUnit.NANOSECONDS)
  public @Nullable Object field(Node node) {
    return node.view.get("value");
  }
}
