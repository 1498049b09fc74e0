package org.relaxvm.interoponnx.operator.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Message;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.StringTensor;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.interoponnx.OnnxModels;
import org.relaxvm.interoponnx.Runs;
import org.relaxvm.interoponnx.data.ElementType;
import org.relaxvm.interoponnx.options.OnnxOptions;

/** Strings as inputs, as results, and on the way. */
class StringsTest {
  private static Message strings(Object... dims) {
    return OnnxModels.tensorType(ElementType.STRING, dims);
  }

  private static Tuple words(Shape shape, String... words) {
    return new StringTensor(shape, List.of(words)).toTuple();
  }

  private static String run(
      String operator, Map<String, ?> attributes, Message type, Tuple x, Message result) {
    OnnxModels model =
        new OnnxModels(20)
            .input("x", type)
            .node(operator, List.of("x"), List.of("y"), attributes)
            .output("y", result);
    return Runs.tensor(model, x);
  }

  @Test
  void elementsMoveAsThoseOfOtherTensorsDo() {
    Tuple x = words(Shape.of(2, 2), "a", "b", "c", "d");
    assertThat(run("Transpose", Map.of(), strings("n", "m"), x, strings("m", "n")))
        .isEqualTo("([2, 2], a, c, b, d)");
    assertThat(run("Transpose", Map.of(), strings(2, 2), x, strings(2, 2)))
        .isEqualTo("([2, 2], a, c, b, d)");
    assertThat(run("Flatten", Map.of("axis", 0), strings(2, 2), x, strings(1, 4)))
        .isEqualTo("([1, 4], a, b, c, d)");
    OnnxModels taken =
        new OnnxModels(20)
            .input("x", strings("n", 2))
            .input("at", DType.INT64, 2)
            .node("Gather", List.of("x", "at"), List.of("y"), Map.of("axis", 0))
            .output("y", strings(2, 2));
    assertThat(Runs.tensor(taken, x, Tensor.of(new long[] {-1, 0}, Shape.of(2))))
        .isEqualTo("([2, 2], c, d, a, b)");
  }

  @Test
  void stringsAreJoinedAndChosen() {
    OnnxModels model =
        new OnnxModels(20)
            .input("x", strings("n"))
            .input("c", DType.BOOL, "n")
            .initializer(OnnxModels.strings("no", List.of("-")))
            .node("Where", List.of("c", "x", "no"), List.of("chosen"))
            .node("Concat", List.of("chosen", "x"), List.of("y"), Map.of("axis", 0))
            .output("y", strings("m"));
    assertThat(
            Runs.tensor(
                model,
                words(Shape.of(2), "a", "b"),
                Tensor.of(new boolean[] {false, true}, Shape.of(2))))
        .isEqualTo("([4], -, b, a, b)");
  }

  @Test
  void constantsAreMovedWhileTheModelIsImported() {
    OnnxModels model =
        new OnnxModels(20)
            .initializer(OnnxModels.strings("x", List.of("a", "b", "c")))
            .initializer("at", Tensor.of(new long[] {2, 0}, Shape.of(2)))
            .node("Gather", List.of("x", "at"), List.of("y"))
            .output("y", strings(2));
    assertThat(Runs.tensor(model)).isEqualTo("([2], c, a)");
  }

  @Test
  void choicesBetweenStrings() {
    Message upper =
        OnnxModels.subgraph()
            .node(
                "StringNormalizer",
                List.of("x"),
                List.of("r"),
                Map.of("case_change_action", "UPPER", "stopwords", List.of("b")))
            .output("r", strings("k"))
            .graph();
    Message same =
        OnnxModels.subgraph()
            .node("Identity", List.of("x"), List.of("r"))
            .output("r", strings("n"))
            .graph();
    OnnxModels model =
        new OnnxModels(20)
            .input("x", strings("n"))
            .input("c", DType.BOOL)
            .node(
                "If", List.of("c"), List.of("r"), Map.of("then_branch", upper, "else_branch", same))
            .node("Size", List.of("r"), List.of("size"))
            .output("r", strings("k"))
            .output("size", DType.INT64);
    Tuple x = words(Shape.of(3), "a", "B", "c");
    assertThat(Runs.all(model, x, Tensor.of(new boolean[] {true}, Shape.of())))
        .isEqualTo("(([2], A, C), int64[] [2])");
    assertThat(Runs.all(model, x, Tensor.of(new boolean[] {false}, Shape.of())))
        .isEqualTo("(([3], a, B, c), int64[] [3])");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1 | float32[2] [1.5, -Infinity] | 1.5 | -inf",
        "7 | int64[2] [12, -3] | 12 | ' -3'",
        "6 | int32[2] [12, 3] | 12 | 3.9",
        "9 | bool[2] [1, 0] | True | 0"
      })
  void stringsBecomeNumbers(int to, String expected, String first, String second) {
    Message type = OnnxModels.tensorType(ElementType.of(to), 2);
    assertThat(run("Cast", Map.of("to", to), strings(2), words(Shape.of(2), first, second), type))
        .isEqualTo(expected);
  }

  @Test
  void numbersBecomeStrings() {
    OnnxModels model =
        new OnnxModels(20)
            .input("x", DType.FLOAT32, "n")
            .node("Cast", List.of("x"), List.of("y"), Map.of("to", 8))
            .output("y", strings("n"));
    float[] values = {0.1f, 1, -2.5e-7f, Float.NaN, Float.POSITIVE_INFINITY};
    assertThat(Runs.tensor(model, Tensor.of(values, Shape.of(5))))
        .isEqualTo("([5], 0.1, 1.0, -2.5e-07, NaN, INF)");
  }

  @Test
  void aStringThatIsNoNumberIsRefused() {
    Message type = OnnxModels.tensorType(DType.FLOAT32, 1);
    assertThatThrownBy(
            () -> run("Cast", Map.of("to", 1), strings(1), words(Shape.of(1), "1.5f"), type))
        .isInstanceOf(RelaxException.class)
        .hasMessageContaining("the string '1.5f' is not a number");
  }

  @ParameterizedTest
  @CsvSource({"(?P<year>[[:digit:]]+)-x, 1 0", "[^[:digit:]x-]+, 0 1", ".*, 1 1", "2, 0 0"})
  void patternsAreThoseOfRe2(String pattern, String expected) {
    Message type = OnnxModels.tensorType(DType.BOOL, 2);
    String[] bits = expected.split(" ");
    assertThat(
            run(
                "RegexFullMatch",
                Map.of("pattern", pattern),
                strings(2),
                words(Shape.of(2), "2024-x", "abc"),
                type))
        .isEqualTo("bool[2] [" + String.join(", ", bits) + "]");
  }

  @Test
  void aPatternThatIsNoneIsRefused() {
    OnnxModels model =
        new OnnxModels(20)
            .input("x", strings(1))
            .node("RegexFullMatch", List.of("x"), List.of("y"), Map.of("pattern", "("))
            .output("y", DType.BOOL, 1);
    assertThatThrownBy(() -> model.model().toRelax(OnnxOptions.DEFAULT))
        .hasMessageContaining("the pattern '(' is not supported: Unclosed group");
  }

  @Test
  void anInputOfAnotherShapeIsRefused() {
    Message type = OnnxModels.tensorType(DType.BOOL, 2);
    assertThatThrownBy(
            () ->
                run(
                    "RegexFullMatch",
                    Map.of("pattern", ".*"),
                    strings(2),
                    words(Shape.of(3), "a", "b", "c"),
                    type))
        .isInstanceOf(RelaxException.class);
  }

  /** The example of the operator: skips of up to one token, both integers and strings. */
  @Test
  void sequencesOfTokensAreCounted() {
    Map<String, Object> attributes =
        Map.of(
            "min_gram_length",
            1,
            "max_gram_length",
            2,
            "max_skip_count",
            1,
            "ngram_counts",
            List.of(0, 2),
            "ngram_indexes",
            List.of(3, 0, 1, 2),
            "mode",
            "TFIDF",
            "weights",
            List.of(1.0, 2.0, 3.0, 4.0));
    // Single tokens 7 and 8, pairs (7, 8) and (8, 8).
    Map<String, Object> ofNumbers = new HashMap<>(attributes);
    ofNumbers.put("pool_int64s", List.of(7, 8, 7, 8, 8, 8));
    OnnxModels numbers =
        new OnnxModels(20)
            .input("x", DType.INT64, "n", 4)
            .node("TfIdfVectorizer", List.of("x"), List.of("y"), ofNumbers)
            .output("y", DType.FLOAT32, "n", 4);
    // Row 7 8 5 8: (7, 8) adjacent once; (8, 8) over one token; 7 once, 8 twice.
    long[] tokens = {7, 8, 5, 8, 1, 1, 1, 7};
    assertThat(Runs.tensor(numbers, Tensor.of(tokens, Shape.of(2, 4))))
        .isEqualTo("float32[2, 4] [4.0, 3.0, 4.0, 1.0, 0.0, 0.0, 0.0, 1.0]");
    Map<String, Object> ofStrings = new HashMap<>(attributes);
    ofStrings.put("pool_strings", List.of("7", "8", "7", "8", "8", "8"));
    assertThat(
            run(
                "TfIdfVectorizer",
                ofStrings,
                strings("n"),
                words(Shape.of(4), "7", "8", "5", "8"),
                OnnxModels.tensorType(DType.FLOAT32, 4)))
        .isEqualTo("float32[4] [4.0, 3.0, 4.0, 1.0]");
  }
}
