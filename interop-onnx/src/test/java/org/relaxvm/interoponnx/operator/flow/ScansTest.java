package org.relaxvm.interoponnx.operator.flow;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.interoponnx.OnnxModels;
import org.relaxvm.interoponnx.Runs;
import org.relaxvm.interoponnx.options.OnnxOptions;

/** Scans, unrolled and as loops. */
class ScansTest {
  private static Tensor floats(Shape shape, float... values) {
    return Tensor.of(values, shape);
  }

  /** {@code state = 2 * state + x; part = state}. */
  private static Message doubling(Object... dims) {
    return OnnxModels.subgraph()
        .input("state", DType.FLOAT32, dims)
        .input("x_part", DType.FLOAT32, dims)
        .node("Add", List.of("state", "state"), List.of("twice"))
        .node("Add", List.of("twice", "x_part"), List.of("next"))
        .node("Identity", List.of("next"), List.of("part"))
        .output("next", DType.FLOAT32, dims)
        .output("part", DType.FLOAT32, dims)
        .graph();
  }

  private static OnnxModels scanned(Object length, Map<String, ?> more) {
    Map<String, Object> attributes = new LinkedHashMap<>(more);
    attributes.put("body", doubling(2));
    attributes.put("num_scan_inputs", 1);
    boolean isSecond = more.containsKey("scan_input_axes");
    return new OnnxModels(11)
        .input("start", DType.FLOAT32, 2)
        .input("x", DType.FLOAT32, isSecond ? 2 : length, isSecond ? length : 2)
        .node("Scan", List.of("start", "x"), List.of("last", "all"), attributes)
        .output("last", DType.FLOAT32, 2)
        .output("all", DType.FLOAT32, "a", "b");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void statesAndPartsOfResults(boolean isUnrolled) {
    OnnxModels model = scanned(isUnrolled ? 3 : "n", Map.of());
    Tensor x = floats(Shape.of(3, 2), 1, 10, 2, 20, 3, 30);
    assertThat(Runs.all(model, floats(Shape.of(2), 1, 0), x))
        .isEqualTo("(float32[2] [19.0, 110.0], float32[3, 2] [3.0, 10.0, 8.0, 40.0, 19.0, 110.0])");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void directionsAndAxes(boolean isUnrolled) {
    Object length = isUnrolled ? 3 : "n";
    Tensor start = floats(Shape.of(2), 1, 0);
    Tensor x = floats(Shape.of(3, 2), 3, 30, 2, 20, 1, 10);
    assertThat(Runs.all(scanned(length, Map.of("scan_input_directions", List.of(1))), start, x))
        .isEqualTo("(float32[2] [19.0, 110.0], float32[3, 2] [3.0, 10.0, 8.0, 40.0, 19.0, 110.0])");
    Tensor turned = floats(Shape.of(2, 3), 1, 2, 3, 10, 20, 30);
    assertThat(
            Runs.all(
                scanned(
                    length,
                    Map.of(
                        "scan_input_axes", List.of(-1),
                        "scan_output_axes", List.of(1),
                        "scan_output_directions", List.of(1))),
                start,
                turned))
        .isEqualTo("(float32[2] [19.0, 110.0], float32[2, 3] [19.0, 8.0, 3.0, 110.0, 40.0, 10.0])");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void nothingIsScanned(boolean isKnown) {
    OnnxModels model = scanned(isKnown ? 0 : "n", Map.of());
    assertThat(Runs.all(model, floats(Shape.of(2), 1, 5), floats(Shape.of(0, 2))))
        .isEqualTo("(float32[2] [1.0, 5.0], float32[0, 2] [])");
  }

  private static OnnxModels batch(
      Object rows, Object steps, String lengths, List<Long> directions) {
    return new OnnxModels(8)
        .input("lengths", DType.INT64, rows)
        .input("start", DType.FLOAT32, rows, 1)
        .input("x", DType.FLOAT32, rows, steps, 1)
        .node(
            "Scan",
            List.of(lengths, "start", "x"),
            List.of("last", "all"),
            Map.of("body", doubling(1), "num_scan_inputs", 1, "directions", directions))
        .output("last", DType.FLOAT32, rows, 1)
        .output("all", DType.FLOAT32, rows, steps, 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"known", "rows", "steps", "both"})
  void versionEightScansEachRowOfABatch(String symbolic) {
    Object rows = symbolic.equals("rows") || symbolic.equals("both") ? "b" : 2;
    Object steps = symbolic.equals("steps") || symbolic.equals("both") ? "s" : 3;
    Tensor lengths = Tensor.of(new long[] {3, 2}, Shape.of(2));
    Tensor start = floats(Shape.of(2, 1), 0, 1);
    Tensor x = floats(Shape.of(2, 3, 1), 1, 2, 3, 10, 20, 30);
    assertThat(Runs.all(batch(rows, steps, "", List.of(0L)), lengths, start, x))
        .isEqualTo(
            "(float32[2, 1] [11.0, 118.0], float32[2, 3, 1] [1.0, 4.0, 11.0, 12.0, 44.0, 118.0])");
    assertThat(Runs.all(batch(rows, steps, "lengths", List.of(0L)), lengths, start, x))
        .isEqualTo(
            "(float32[2, 1] [11.0, 44.0], float32[2, 3, 1] [1.0, 4.0, 11.0, 12.0, 44.0, 0.0])");
    assertThat(Runs.all(batch(rows, steps, "lengths", List.of(1L)), lengths, start, x))
        .isEqualTo(
            "(float32[2, 1] [17.0, 54.0], float32[2, 3, 1] [3.0, 8.0, 17.0, 22.0, 54.0, 0.0])");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 16})
  void severalTensorsAreScannedTogether(int maxUnroll) {
    Message body =
        OnnxModels.subgraph()
            .input("p", DType.FLOAT32)
            .input("q", DType.FLOAT32)
            .node("Mul", List.of("p", "q"), List.of("r"))
            .output("r", DType.FLOAT32)
            .graph();
    OnnxModels model =
        new OnnxModels(11)
            .input("a", DType.FLOAT32, 2)
            .input("b", DType.FLOAT32, "n")
            .node(
                "Scan",
                List.of("a", "b"),
                List.of("y"),
                Map.of("body", body, "num_scan_inputs", 2, "scan_input_directions", List.of(0, 1)))
            .output("y", DType.FLOAT32, 2);
    assertThat(
            Runs.tensor(
                model.model(),
                OnnxOptions.DEFAULT.withMaxUnroll(maxUnroll),
                floats(Shape.of(2), 1, 2),
                floats(Shape.of(2), 3, 4)))
        .isEqualTo("float32[2] [4.0, 6.0]");
  }
}
