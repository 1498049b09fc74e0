package org.relaxvm.interoptvm.functions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Value;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

class RandomFunctionsTest {
  private final RuntimeFunctions functions = new RuntimeFunctions();

  @Test
  void theGeneratorIsTheStandardOne() {
    MersenneTwister generator = new MersenneTwister(5489);
    assertThat(generator.nextUnsigned()).isEqualTo(3499211612L);
    for (int i = 2; i < 10000; i++) {
      generator.nextUnsigned();
    }
    // The value that the C++ standard names.
    assertThat(generator.nextUnsigned()).isEqualTo(4123659995L);
  }

  @Test
  void aSeedGivesTheNumbersThatCompiledCodeGets() {
    // Printed by a C++ program with std::mt19937 and the distributions of GCC's library.
    call("seed", 42);
    Tensor out = Tensor.zeros(DType.FLOAT32, Shape.of(2, 2));
    call("uniform", -1.0, 3.0, out);
    assertThat(out.toFloatArray())
        .containsExactly(0.498160481f, 2.18617201f, 2.80285716f, -0.266260862f);
    call("seed", 7);
    Tensor five = Tensor.zeros(DType.FLOAT32, Shape.of(5));
    call("normal", 1.5, 2.0, five);
    assertThat(five.toFloatArray())
        .containsExactly(
            new float[] {0.11694324f, 3.63858676f, 2.25591803f, 1.40264463f, 0.808689117f},
            within(1e-6f));
    call("seed", 9);
    Tensor doubles = Tensor.zeros(DType.FLOAT64, Shape.of(3));
    call("random_fill", doubles);
    assertThat(doubles.toDoubleArray())
        .containsExactly(10.915688209254991, 11.993042926307535, 8.0603448012765);
    call("seed", 11);
    Tensor ints = Tensor.zeros(DType.INT32, Shape.of(6));
    call("randint", -3, 7, ints);
    assertThat(ints.toLongArray()).containsExactly(-2, 6, -3, 4, 0, 4);
  }

  @ParameterizedTest
  @ValueSource(strings = {"uniform", "normal"})
  void theOutputIsLastOrFirstAndSeedsMayBeGiven(String name) {
    call("seed", 42);
    float[] expected = sample(out -> call(name, 1.0, 2.0, out));
    call("seed", 42);
    assertThat(sample(out -> call(name, out, 1.0, 2.0))).isEqualTo(expected);
    assertThat(sample(out -> call(name, 40, 2, 1.0, 2.0, out))).isEqualTo(expected);
    assertThat(sample(out -> call(name, out, 42, 0, 1, 2))).isEqualTo(expected);
    // Two zeros are no seed: the thread's numbers go on.
    call("seed", 42);
    assertThat(sample(out -> call(name, out, 0, 0, 1.0, 2.0))).isEqualTo(expected);
    assertThat(sample(out -> call(name, out, 0, 0, 1.0, 2.0))).isNotEqualTo(expected);
  }

  @Test
  void uniformNumbersAreSpreadAndNormalOnesAreNormal() {
    call("seed", 1);
    Tensor out = Tensor.zeros(DType.FLOAT32, Shape.of(100_000));
    call("uniform", 2.0, 4.0, out);
    double[] values = out.toDoubleArray();
    assertThat(Arrays.stream(values)).allMatch(value -> value >= 2 && value < 4);
    assertThat(mean(values)).isEqualTo(3, within(0.01));
    assertThat(deviation(values)).isEqualTo(2 / Math.sqrt(12), within(0.01));
    call("normal", -5.0, 3.0, out);
    values = out.toDoubleArray();
    assertThat(mean(values)).isEqualTo(-5, within(0.05));
    assertThat(deviation(values)).isEqualTo(3, within(0.05));
  }

  @ParameterizedTest
  @ValueSource(strings = {"int8", "uint8", "int16", "uint16", "int32", "uint32"})
  void integersAreInTheirRangeAndInThatOfTheirType(String dtype) {
    Tensor out = Tensor.zeros(DType.parse(dtype), Shape.of(5000));
    call("randint", 3, 6, out);
    assertThat(Arrays.stream(out.toLongArray()).distinct().sorted().toArray())
        .containsExactly(3, 4, 5);
    call("randint", Long.MIN_VALUE, Long.MAX_VALUE, out);
    assertThat(Arrays.stream(out.toLongArray()).distinct().count()).isGreaterThan(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "int8",
        "uint8",
        "int16",
        "int32",
        "int64",
        "float16",
        "bfloat16",
        "float32",
        "float64",
        "bool"
      })
  void tensorsAreFilledWithNumbersOfTheirType(String dtype) {
    for (String name : new String[] {"random_fill", "random_fill_for_measure"}) {
      Tensor whole = Tensor.zeros(DType.parse(dtype), Shape.of(20, 2));
      call(name, whole);
      boolean truth = dtype.equals("bool");
      assertThat(Arrays.stream(whole.toDoubleArray()))
          .allMatch(value -> truth ? value == 1 : value >= 8 && value <= 16);
      Tensor strided = Tensor.zeros(DType.parse(dtype), Shape.of(20, 2));
      call(name, strided.slice(1, 0, 1));
      assertThat(strided.slice(1, 0, 1).toDoubleArray()).doesNotContain(0);
      assertThat(strided.slice(1, 1, 2).toDoubleArray()).containsOnly(0);
    }
  }

  @Test
  void packedIntegersAreFilled() {
    Tensor out = Tensor.zeros(DType.parse("int4"), Shape.of(5));
    call("random_fill", out);
    assertThat(out.segment().toArray(ValueLayout.JAVA_BYTE)).doesNotContain((byte) 0);
  }

  @Test
  void threadsAndProvidersHaveNumbersOfTheirOwn() throws InterruptedException {
    call("seed", 42);
    float[] expected = sample(out -> call("uniform", 0.0, 1.0, out));
    call("seed", 42);
    Thread other = new Thread(() -> call("seed", 3));
    other.start();
    other.join();
    new RuntimeFunctions().find("tvm.contrib.random.seed").orElseThrow().invoke(4);
    assertThat(sample(out -> call("uniform", 0.0, 1.0, out))).isEqualTo(expected);
  }

  @Test
  void wrongArgumentsAreRefused() {
    Tensor floats = Tensor.zeros(DType.FLOAT32, Shape.of(2, 2));
    fails("high must be bigger than low, but got 1.0 and 1.0", "uniform", 1.0, 1.0, floats);
    fails("high must be bigger than low, but got NaN and 1.0", "uniform", 1.0, Double.NaN, floats);
    fails("standard deviation must be positive, but got 0.0", "normal", 1.0, 0.0, floats);
    fails("high must be bigger than low, but got 5 and 5 for int32", "randint", 5, 5, ints());
    fails(
        "high must be bigger than low, but got 300 and 256 for uint8",
        "randint",
        256,
        300,
        Tensor.zeros(DType.UINT8, Shape.of(1)));
    fails(
        "tvm.contrib.random.randint: argument #2 must be of integers of 8 to 32 bits without"
            + " strides, but is int64[1]",
        "randint",
        0,
        3,
        Tensor.zeros(DType.INT64, Shape.of(1)));
    fails(
        "tvm.contrib.random.uniform: argument #2 must be float32 without strides, but is int32[1]",
        "uniform",
        0.0,
        1.0,
        ints());
    fails(
        "tvm.contrib.random.normal: argument #0 must be float32 without strides, but is"
            + " float32[2, 2] with strides",
        "normal",
        floats.permute(1, 0),
        0.0,
        1.0);
    fails(
        "tvm.contrib.random.random_fill: argument #0 must be of numbers or booleans, but is"
            + " float8_e5m2[1]",
        "random_fill",
        Tensor.zeros(DType.parse("float8_e5m2"), Shape.of(1)));
    assertThatThrownBy(() -> call("uniform", 0.0, 1.0))
        .hasMessage(
            "tvm.contrib.random.uniform([seed, seed2,] low, high, out) takes 3 arguments, but got"
                + " 2");
  }

  private void fails(String message, String name, Object... args) {
    assertThatThrownBy(() -> call(name, args))
        .isInstanceOf(CallException.class)
        .hasMessage(message)
        .extracting(e -> ((CallException) e).kind())
        .isEqualTo(ErrorKind.VALUE);
  }

  private Value call(String name, Object... args) {
    return Optional.of("tvm.contrib.random." + name)
        .flatMap(functions::find)
        .orElseThrow()
        .invoke(args);
  }

  private interface Sampler {
    void run(Tensor out);
  }

  private static float[] sample(Sampler sampler) {
    Tensor out = Tensor.zeros(DType.FLOAT32, Shape.of(7));
    sampler.run(out);
    return out.toFloatArray();
  }

  private static Tensor ints() {
    return Tensor.zeros(DType.INT32, Shape.of(1));
  }

  private static double mean(double[] values) {
    return Arrays.stream(values).average().orElseThrow();
  }

  private static double deviation(double[] values) {
    double mean = mean(values);
    return Math.sqrt(
        Arrays.stream(values).map(v -> (v - mean) * (v - mean)).average().orElseThrow());
  }
}
