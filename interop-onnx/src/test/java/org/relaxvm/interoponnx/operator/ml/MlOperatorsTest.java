package org.relaxvm.interoponnx.operator.ml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

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
import org.relaxvm.interoponnx.OnnxModels;
import org.relaxvm.interoponnx.Runs;
import org.relaxvm.interoponnx.data.ElementType;

/** Features, labels, linear models and support vectors, by their definitions. */
class MlOperatorsTest {
  private static final Message FLOATS = OnnxModels.tensorType(DType.FLOAT32, "a", "b");
  private static final Message LABELS = OnnxModels.tensorType(DType.INT64, "a");

  private static Tensor rows(int columns, float... values) {
    return Tensor.of(values, Shape.of(values.length / columns, columns));
  }

  private static OnnxModels model(
      String operator, Map<String, ?> attributes, Message input, Message... outputs) {
    List<String> names = List.of("y", "z").subList(0, outputs.length);
    OnnxModels model =
        new OnnxModels(20)
            .opset("ai.onnx.ml", 4)
            .input("x", input)
            .node("ai.onnx.ml", operator, List.of("x"), names, attributes);
    for (int i = 0; i < outputs.length; i++) {
      model.output(names.get(i), outputs[i]);
    }
    return model;
  }

  private static String run(String operator, Map<String, ?> attributes, Tensor x) {
    Object[] dims = {"n", x.shape().dim(1)};
    return Runs.tensor(
        model(operator, attributes, OnnxModels.tensorType(x.dtype(), dims), FLOATS), x);
  }

  private static String classify(String operator, Map<String, ?> attributes, Tensor x) {
    Message type = OnnxModels.tensorType(DType.FLOAT32, "n", x.shape().dim(1));
    return Runs.all(model(operator, attributes, type, LABELS, FLOATS), x);
  }

  // ---------------------------------------------------------------- features

  @Test
  void featuresAreScaled() {
    Tensor x = rows(2, 1, 2, 3, 4);
    assertThat(run("Scaler", Map.of("offset", List.of(1.0, 2.0), "scale", List.of(2.0, 0.5)), x))
        .isEqualTo("float32[2, 2] [0.0, 0.0, 4.0, 1.0]");
    assertThat(run("Scaler", Map.of("scale", List.of(2.0)), x))
        .isEqualTo("float32[2, 2] [2.0, 4.0, 6.0, 8.0]");
    assertThatThrownBy(() -> run("Scaler", Map.of("scale", List.of(1.0, 2.0, 3.0)), x))
        .hasMessageContaining(
            "an attribute has 3 numbers; expected 1, or one for each of 2 features");
  }

  @ParameterizedTest
  @CsvSource({
    "MAX, -2, 4, -0.5, 1.0",
    "L1, -3, 1, -0.75, 0.25",
    "L2, 0, -2, 0.0, -1.0",
    "L1, 0, 0, 0.0, 0.0",
    "MAX, -4, -2, 2.0, 1.0"
  })
  void rowsAreNormalized(String norm, float a, float b, double first, double second) {
    assertThat(run("Normalizer", Map.of("norm", norm), rows(2, a, b)))
        .isEqualTo("float32[1, 2] [" + first + ", " + second + "]");
  }

  @Test
  void valuesAreReplaced() {
    assertThat(
            run(
                "Imputer",
                Map.of(
                    "imputed_value_floats", List.of(7.0, 8.0), "replaced_value_float", Float.NaN),
                rows(2, 1, Float.NaN, Float.NaN, 2)))
        .isEqualTo("float32[2, 2] [1.0, 8.0, 7.0, 2.0]");
    Tensor integers = Tensor.of(new long[] {1, -9, 0, 2}, Shape.of(2, 2));
    assertThat(
            run(
                "Imputer",
                Map.of("imputed_value_int64s", List.of(5), "replaced_value_int64", -9),
                integers))
        .isEqualTo("int64[2, 2] [1, 5, 0, 2]");
  }

  @Test
  void valuesAboveAThresholdAreOne() {
    assertThat(run("Binarizer", Map.of("threshold", 0.5f), rows(2, 0.5f, 0.6f, -1, 2)))
        .isEqualTo("float32[2, 2] [0.0, 1.0, 0.0, 1.0]");
  }

  @Test
  void inputsAreJoined() {
    OnnxModels model =
        new OnnxModels(20)
            .opset("ai.onnx.ml", 1)
            .input("a", DType.INT64, 2)
            .input("b", DType.INT64, 1, 1)
            .node(
                "ai.onnx.ml",
                "FeatureVectorizer",
                List.of("a", "b"),
                List.of("y"),
                Map.of("inputdimensions", List.of(2, 1)))
            .output("y", FLOATS);
    assertThat(
            Runs.tensor(
                model,
                Tensor.of(new long[] {1, 2}, Shape.of(2)),
                Tensor.of(new long[] {3}, Shape.of(1, 1))))
        .isEqualTo("float32[1, 3] [1.0, 2.0, 3.0]");
  }

  // ---------------------------------------------------------------- labels

  private static String encode(Map<String, ?> attributes, Message input, Object x, Message out) {
    return Runs.tensor(model("LabelEncoder", attributes, input, out), x);
  }

  @Test
  void labelsAreLookedUp() {
    Message words = OnnxModels.tensorType(ElementType.STRING, "n");
    Tuple names = StringTensor.of("Dori", "Amy", "Sally", "Amy").toTuple();
    Map<String, Object> attributes =
        Map.of(
            "keys_strings", List.of("Amy", "Sally", "Amy"),
            "values_int64s", List.of(4, 6, 5));
    assertThat(encode(attributes, words, names, LABELS)).isEqualTo("int64[4] [-1, 5, 6, 5]");
    Tensor numbers = Tensor.of(new float[] {2, Float.NaN, 3}, Shape.of(3));
    Map<String, Object> toWords =
        Map.of(
            "keys_floats", List.of(2.0, Double.NaN),
            "values_strings", List.of("two", "none"));
    assertThat(encode(toWords, OnnxModels.tensorType(DType.FLOAT32, "n"), numbers, words))
        .isEqualTo("([3], two, none, _Unused)");
    Map<String, Object> toShorts =
        Map.of(
            "keys_tensor", Tensor.of(new long[] {7}, Shape.of(1)),
            "values_tensor", Tensor.of(new short[] {70}, Shape.of(1)),
            "default_tensor", Tensor.of(new short[] {-5}, Shape.of(1)));
    assertThat(
            encode(
                toShorts,
                LABELS,
                Tensor.of(new long[] {7, 8}, Shape.of(2)),
                OnnxModels.tensorType(DType.INT16, "n")))
        .isEqualTo("int16[2] [70, -5]");
  }

  @Test
  void categoriesHaveAColumnEach() {
    Message type = OnnxModels.tensorType(DType.INT64, "n");
    Tensor x = Tensor.of(new long[] {3, 9}, Shape.of(2));
    Map<String, Object> attributes = Map.of("cats_int64s", List.of(1, 3));
    assertThat(Runs.tensor(model("OneHotEncoder", attributes, type, FLOATS), x))
        .isEqualTo("float32[2, 2] [0.0, 1.0, 0.0, 0.0]");
    Map<String, Object> strict = Map.of("cats_int64s", List.of(1, 3), "zeros", 0);
    assertThatThrownBy(() -> Runs.tensor(model("OneHotEncoder", strict, type, FLOATS), x))
        .hasMessageContaining("the value 9 is none of the categories");
  }

  // ---------------------------------------------------------------- linear models

  @Test
  void sumsOfWeightedFeatures() {
    assertThat(
            run(
                "LinearRegressor",
                Map.of(
                    "coefficients", List.of(1.0, 2.0, 0.0, -1.0),
                    "intercepts", List.of(0.5, 1.0),
                    "targets", 2),
                rows(2, 1, 2)))
        .isEqualTo("float32[1, 2] [5.5, -1.0]");
  }

  @Test
  void theClassOfTheLargestSum() {
    Map<String, Object> attributes =
        Map.of(
            "coefficients", List.of(1.0, -1.0, 0.0),
            "intercepts", List.of(0.0, 0.0, 0.5),
            "classlabels_ints", List.of(7, 8, 9));
    assertThat(classify("LinearClassifier", attributes, rows(1, 2, -2, 0)))
        .isEqualTo(
            "(int64[3] [7, 8, 9],"
                + " float32[3, 3] [2.0, -2.0, 0.5, -2.0, 2.0, 0.5, 0.0, 0.0, 0.5])");
  }

  @ParameterizedTest
  @CsvSource({"0, -Infinity", "0.5, 0.0", "1, Infinity", "0.975, 1.95996", "0.01, -2.32635"})
  void quantilesOfTheNormalDistribution(float probability, double expected) {
    String text =
        run(
            "LinearRegressor",
            Map.of("coefficients", List.of(1.0), "post_transform", "PROBIT"),
            rows(1, probability));
    double value = Double.parseDouble(text.replaceAll(".*\\[([^\\[\\]]+)\\]$", "$1"));
    if (Double.isInfinite(expected)) {
      assertThat(value).isEqualTo(expected);
    } else {
      assertThat(value).isCloseTo(expected, within(1e-4));
    }
  }

  /** Scores of 0 stay, the others are a softmax of themselves. */
  @Test
  void aSoftmaxOfTheScoresThatAreNotZero() {
    String text =
        run(
            "LinearRegressor",
            Map.of(
                "coefficients",
                List.of(1.0, 0.0, 1.0),
                "targets",
                3,
                "post_transform",
                "SOFTMAX_ZERO"),
            rows(1, 2));
    assertThat(text).isEqualTo("float32[1, 3] [0.5, 0.0, 0.5]");
  }

  // ---------------------------------------------------------------- support vectors

  /** Kernels of x = (1, 2) with (1, 0) and (0, 1) are 1 and 2, so 3 * 1 - 2 + 0.5. */
  @Test
  void aWeightedSumOfKernels() {
    Map<String, Object> attributes =
        Map.of(
            "kernel_type", "LINEAR",
            "support_vectors", List.of(1.0, 0.0, 0.0, 1.0),
            "coefficients", List.of(3.0, -1.0),
            "n_supports", 2,
            "rho", List.of(0.5));
    assertThat(run("SVMRegressor", attributes, rows(2, 1, 2))).isEqualTo("float32[1, 1] [1.5]");
    Map<String, Object> oneClass = new HashMap<>(attributes);
    oneClass.put("one_class", 1);
    assertThat(run("SVMRegressor", oneClass, rows(2, 1, 2, -1, 0)))
        .isEqualTo("float32[2, 1] [1.0, -1.0]");
    Map<String, Object> polynomial = new HashMap<>(attributes);
    polynomial.put("kernel_type", "POLY");
    polynomial.put("kernel_params", List.of(2.0, 1.0, 2.0));
    // (2 * 1 + 1)^2 = 9 and (2 * 2 + 1)^2 = 25.
    assertThat(run("SVMRegressor", polynomial, rows(2, 1, 2))).isEqualTo("float32[1, 1] [2.5]");
  }

  /** One vector for each class; decisions of pairs (0, 1), (0, 2), (1, 2). */
  @Test
  void pairsOfClassesVote() {
    Map<String, Object> attributes =
        Map.of(
            "kernel_type", "LINEAR",
            "support_vectors", List.of(1.0, 2.0, 4.0),
            "vectors_per_class", List.of(1, 1, 1),
            "coefficients", List.of(1.0, -1.0, -1.0, 1.0, 1.0, -1.0),
            "rho", List.of(0.0, 0.0, 0.0),
            "classlabels_ints", List.of(5, 6, 7));
    // x = 1: 1 - 2, 1 - 4, 2 - 4: class 2 wins twice. x = -1: class 0 wins twice.
    assertThat(classify("SVMClassifier", attributes, rows(1, 1, -1)))
        .isEqualTo("(int64[2] [7, 5], float32[2, 3] [-1.0, -3.0, -2.0, 1.0, 3.0, 2.0])");
  }

  // ---------------------------------------------------------------- maps

  @Test
  void rowsBecomeMaps() {
    OnnxModels model =
        new OnnxModels(20)
            .opset("ai.onnx.ml", 1)
            .input("x", DType.FLOAT32, "n", 2)
            .node(
                "ai.onnx.ml",
                "ZipMap",
                List.of("x"),
                List.of("y"),
                Map.of("classlabels_strings", List.of("no", "yes")))
            .output("y", OnnxModels.sequenceType(FLOATS));
    assertThat(Runs.all(model, rows(2, 0.25f, 0.75f, 1, 0)))
        .isEqualTo(
            "((([2], no, yes), float32[2] [0.25, 0.75]), (([2], no, yes), float32[2] [1.0, 0.0]))");
  }

  @Test
  void mapsBecomeRows() {
    Message map = OnnxModels.mapType(ElementType.STRING, OnnxModels.tensorType(DType.INT64));
    OnnxModels model =
        model(
            "DictVectorizer",
            Map.of("string_vocabulary", List.of("a", "c", "b", "z")),
            map,
            OnnxModels.tensorType(DType.INT64, 1, 4));
    Tuple value =
        Tuple.of(StringTensor.of("c", "a").toTuple(), Tensor.of(new long[] {8, 4}, Shape.of(2)));
    assertThat(Runs.tensor(model, value)).isEqualTo("int64[1, 4] [4, 8, 0, 0]");
  }
}
