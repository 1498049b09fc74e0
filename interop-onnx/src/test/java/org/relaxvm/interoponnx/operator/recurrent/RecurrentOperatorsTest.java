package org.relaxvm.interoponnx.operator.recurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.relaxvm.interoponnx.operator.OperatorRun.ints;
import static org.relaxvm.interoponnx.operator.OperatorRun.random;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.interoponnx.operator.OperatorRun;
import org.relaxvm.interoponnx.options.OnnxOptions;

/** Recurrent layers beside their definitions, step by step. */
class RecurrentOperatorsTest {
  private static final int STEPS = 4;
  private static final int BATCH = 2;
  private static final int INPUTS = 3;
  private static final int SIZE = 2;

  private static String operator(int gates) {
    return gates == 1 ? "RNN" : gates == 3 ? "GRU" : "LSTM";
  }

  private static Tensor tensor(float[] values, long... dims) {
    return Tensor.of(values, Shape.of(dims));
  }

  private static float[] part(float[] values, int part, int parts) {
    int size = values.length / parts;
    return Arrays.copyOfRange(values, part * size, (part + 1) * size);
  }

  private static PlainRecurrence plain(int steps, int gates, float[] w, float[] r) {
    PlainRecurrence plain = new PlainRecurrence(steps, BATCH, INPUTS, SIZE, gates);
    plain.w = w;
    plain.r = r;
    return plain;
  }

  private static void assertClose(Tensor actual, double[][][] expected) {
    List<Double> all = new ArrayList<>();
    for (double[][] rows : expected) {
      for (double[] row : rows) {
        Arrays.stream(row).forEach(all::add);
      }
    }
    double[] wanted = all.stream().mapToDouble(Double::doubleValue).toArray();
    assertThat(actual.toDoubleArray()).containsExactly(wanted, within(1e-5));
  }

  private static void assertClose(Tensor actual, double[][] expected) {
    assertClose(actual, new double[][][] {expected});
  }

  @ParameterizedTest
  @CsvSource({"1, forward", "1, reverse", "3, forward", "3, reverse", "4, forward", "4, reverse"})
  void sequencesOfSeveralLengthsAndAllOptions(int gates, String direction) {
    float[] x = random(1, STEPS * BATCH * INPUTS);
    float[] w = random(2, gates * SIZE * INPUTS);
    float[] r = random(3, gates * SIZE * SIZE);
    float[] bias = random(4, 2 * gates * SIZE);
    float[] hidden = random(5, BATCH * SIZE);
    OperatorRun run =
        OperatorRun.of(operator(gates), 14)
            .input(tensor(x, STEPS, BATCH, INPUTS), "t", BATCH, INPUTS)
            .constant(tensor(w, 1, gates * SIZE, INPUTS))
            .constant(tensor(r, 1, gates * SIZE, SIZE))
            .constant(tensor(bias, 1, 2 * gates * SIZE))
            .input(ints(4, 2))
            .input(tensor(hidden, 1, BATCH, SIZE))
            .with("hidden_size", SIZE)
            .with("direction", direction)
            .with("clip", 0.6f);
    PlainRecurrence plain = plain(STEPS, gates, w, r);
    plain.bias = bias;
    plain.lengths = new int[] {4, 2};
    plain.clip = 0.6f;
    plain.reverse = direction.equals("reverse");
    for (int i = 0; i < hidden.length; i++) {
      plain.h[i / SIZE][i % SIZE] = hidden[i];
    }
    if (gates == 3) {
      run.with("linear_before_reset", 1);
      plain.linearBeforeReset = true;
    }
    if (gates == 4) {
      float[] cell = random(6, BATCH * SIZE);
      float[] peepholes = random(7, 3 * SIZE);
      run.input(tensor(cell, 1, BATCH, SIZE)).constant(tensor(peepholes, 1, 3 * SIZE));
      plain.peepholes = peepholes;
      for (int i = 0; i < cell.length; i++) {
        plain.c[i / SIZE][i % SIZE] = cell[i];
      }
    }
    double[][][] expected = plain.run(x);
    List<Tensor> results = run.run(gates == 4 ? 3 : 2);
    assertThat(results.get(0).shape()).isEqualTo(Shape.of(STEPS, 1, BATCH, SIZE));
    assertClose(results.get(0), expected);
    assertClose(results.get(1), plain.h);
    if (gates == 4) {
      assertClose(results.get(2), plain.c);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 4})
  void bothDirectionsWithTheBatchFirst(int gates) {
    float[] x = random(1, STEPS * BATCH * INPUTS);
    float[] w = random(2, 2 * gates * SIZE * INPUTS);
    float[] r = random(3, 2 * gates * SIZE * SIZE);
    float[] turned = new float[x.length];
    for (int i = 0; i < x.length; i++) {
      int t = i / (BATCH * INPUTS);
      int b = i / INPUTS % BATCH;
      turned[(b * STEPS + t) * INPUTS + i % INPUTS] = x[i];
    }
    List<Tensor> results =
        OperatorRun.of(operator(gates), 14)
            .input(tensor(turned, BATCH, STEPS, INPUTS))
            .constant(tensor(w, 2, gates * SIZE, INPUTS))
            .constant(tensor(r, 2, gates * SIZE, SIZE))
            .with("hidden_size", SIZE)
            .with("direction", "bidirectional")
            .with("layout", 1)
            .run(2);
    double[][][] joined = new double[BATCH][STEPS][2 * SIZE];
    double[][] last = new double[BATCH][2 * SIZE];
    for (int d = 0; d < 2; d++) {
      PlainRecurrence plain = plain(STEPS, gates, part(w, d, 2), part(r, d, 2));
      plain.reverse = d == 1;
      double[][][] y = plain.run(x);
      for (int b = 0; b < BATCH; b++) {
        System.arraycopy(plain.h[b], 0, last[b], d * SIZE, SIZE);
        for (int t = 0; t < STEPS; t++) {
          System.arraycopy(y[t][b], 0, joined[b][t], d * SIZE, SIZE);
        }
      }
    }
    assertThat(results.get(0).shape()).isEqualTo(Shape.of(BATCH, STEPS, 2, SIZE));
    assertClose(results.get(0), joined);
    assertClose(results.get(1), last);
  }

  @Test
  void aForgetGateIsCoupled() {
    float[] x = random(1, BATCH * INPUTS);
    float[] w = random(2, 4 * SIZE * INPUTS);
    float[] r = random(3, 4 * SIZE * SIZE);
    PlainRecurrence plain = plain(1, 4, w, r);
    plain.inputForget = true;
    plain.c = new double[][] {{0.5, 0.5}, {0.5, 0.5}};
    double[][][] expected = plain.run(x);
    Tensor y =
        OperatorRun.of("LSTM", 7)
            .input(tensor(x, 1, BATCH, INPUTS))
            .constant(tensor(w, 1, 4 * SIZE, INPUTS))
            .constant(tensor(r, 1, 4 * SIZE, SIZE))
            .absent()
            .absent()
            .absent()
            .constant(tensor(new float[] {0.5f, 0.5f, 0.5f, 0.5f}, 1, BATCH, SIZE))
            .with("hidden_size", SIZE)
            .with("input_forget", 1)
            .run();
    assertClose(y, expected);
  }

  @Test
  void functionsTakeTheirParametersInOrder() {
    float[] x = random(1, STEPS * BATCH * INPUTS);
    float[] w = random(2, 3 * SIZE * INPUTS);
    float[] r = random(3, 3 * SIZE * SIZE);
    PlainRecurrence plain = plain(STEPS, 3, w, r);
    plain.f = v -> Math.clamp(0.3f * v + 0.4f, 0, 1);
    plain.g = v -> v < 0 ? 0.7f * v : v;
    double[][][] expected = plain.run(x);
    Tensor y =
        OperatorRun.of("GRU", 14)
            .input(tensor(x, STEPS, BATCH, INPUTS))
            .constant(tensor(w, 1, 3 * SIZE, INPUTS))
            .constant(tensor(r, 1, 3 * SIZE, SIZE))
            .with("hidden_size", SIZE)
            .with("activations", List.of("HardSigmoid", "leakyrelu"))
            .with("activation_alpha", List.of(0.3f, 0.7f))
            .with("activation_beta", List.of(0.4f))
            .run();
    assertClose(y, expected);
  }

  @Test
  void anUnknownFunctionIsReported() {
    String message =
        OperatorRun.of("RNN", 14)
            .input(tensor(random(1, 6), 1, 2, 3))
            .constant(tensor(random(2, 6), 1, 2, 3))
            .constant(tensor(random(3, 4), 1, 2, 2))
            .with("activations", List.of("Sine"))
            .model(1)
            .check(OnnxOptions.DEFAULT)
            .message();
    assertThat(message)
        .contains(
            "there is no activation 'Sine'; there are Relu, Tanh, Sigmoid, Affine, LeakyRelu,"
                + " ThresholdedRelu, ScaledTanh, HardSigmoid, Elu, Softsign and Softplus");
  }
}
