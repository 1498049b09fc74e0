package org.relaxvm.backendcpu.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.kernels.KernelLibrary;
import org.relaxvm.api.kernels.KernelSignature;
import org.relaxvm.backendtestkit.definition.Definition;
import org.relaxvm.backendtestkit.definition.Definitions;
import org.relaxvm.backendtestkit.definition.KernelRequest;
import org.relaxvm.backendtestkit.definition.MemoryOperand;

/** Rows and heads that are computed in several pieces. */
class LongRowsTest {
  private static final Shape LAST = Shape.of(-1);

  private final Random random = Kernels.random(LongRowsTest.class);
  private final RandomTensors tensors = new RandomTensors(random);

  @Test
  void linesLongerThanARunAreNormalizedAsAWhole() {
    for (DType dtype : RandomTensors.FLOATS) {
      for (boolean rms : new boolean[] {false, true}) {
        Tensor x = tensors.values(dtype, Shape.of(2, 9001));
        Tensor gamma = tensors.values(dtype, Shape.of(9001));
        Tensor out = tensors.output(dtype, x.shape());
        if (rms) {
          Kernels.call("rms_norm", x, gamma, LAST, 0.5, out);
        } else {
          Kernels.call("layer_norm", x, gamma, null, LAST, 0.5, out);
        }
        double[] values = x.toDoubleArray();
        double[] factors = gamma.toDoubleArray();
        double[] means = new double[2];
        double[] roots = new double[2];
        for (int row = 0; row < 2; row++) {
          double[] line = Arrays.copyOfRange(values, row * 9001, (row + 1) * 9001);
          double mean = rms ? 0 : Arrays.stream(line).average().orElseThrow();
          means[row] = mean;
          double square =
              Arrays.stream(line).map(e -> (e - mean) * (e - mean)).average().orElseThrow();
          roots[row] = Math.sqrt(square + 0.5);
        }
        Expected.check(
            out,
            at -> {
              int row = (int) at[0];
              double own = Expected.element(values, x.shape(), at) - means[row];
              return own / roots[row] * factors[(int) at[1]];
            });
      }
    }
  }

  @Test
  void linesThatAreCopiedInPiecesAreSoftenedAsAWhole() {
    Tensor x = tensors.values(DType.FLOAT16, Shape.of(20_000));
    Tensor out = Tensor.zeros(DType.FLOAT32, Shape.of(20_000));
    Kernels.call("softmax", x, 0, x);
    Kernels.call("cast", x, out);
    assertThat(Arrays.stream(out.toDoubleArray()).sum()).isBetween(0.99, 1.01);
  }

  @Test
  void attentionOfManyQueriesAndKeysEqualsTheDefinition() {
    for (DType dtype : RandomTensors.FLOATS) {
      for (String mask : new String[] {"none", "TopLeft", "BottomRight"}) {
        Tensor q = tensors.values(dtype, Shape.of(1, 261, 2, 3));
        Tensor k = tensors.values(dtype, Shape.of(1, 270, 1, 3));
        Tensor v = tensors.values(dtype, Shape.of(1, 270, 1, 2));
        Tensor bias = tensors.values(dtype, Shape.of(2, 1, 270));
        Tensor out = tensors.output(dtype, Shape.of(1, 261, 2, 2));
        Object[] args = {q, k, v, bias, 0.25, mask, out};
        Kernels.call("attention", args);
        Definition.ElementFunction wanted = definition("relaxvm.attention", args);
        Expected.check(out, at -> Double.longBitsToDouble(wanted.at(at)));
      }
    }
  }

  private static Definition.ElementFunction definition(String name, Object... args) {
    KernelSignature signature = KernelLibrary.standard().find(name).orElseThrow();
    KernelRequest request = KernelRequest.of(signature, CallArgs.of(args), MemoryOperand::of);
    return Objects.requireNonNull(Definitions.standard().get(name)).define(request);
  }
}
