package org.relaxvm.backendcpu.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.kernels.KernelLibrary;

/** Windows of 3 x 3 with constant weights, beside the portable sum of products. */
class WinogradTest {
  private static final String SETTING = "relaxvm.cpu.winograd";
  private static final Shape ONE = Shape.of(1, 1);
  private static final Shape AROUND = Shape.of(1, 1, 1, 1);

  private final Random random = Kernels.random(WinogradTest.class);
  private final RandomTensors tensors = new RandomTensors(random);

  @AfterEach
  void clearTheSetting() {
    System.clearProperty(SETTING);
  }

  @Test
  void imagesOfAnySizeAndPaddingEqualThePortableSum() {
    for (int i = 0; i < 150; i++) {
      Tensor data =
          tensors.values(
              tensors.oneOf(RandomTensors.FLOATS),
              Shape.of(
                  random.nextInt(4),
                  15 + random.nextInt(40),
                  3 + random.nextInt(20),
                  3 + random.nextInt(20)));
      Shape padding =
          Shape.of(random.nextInt(4), random.nextInt(4), random.nextInt(4), random.nextInt(4));
      long outputs = 15L + random.nextInt(70);
      Shape shape = Shape.of(outputs, data.shape().dim(1), 3, 3);
      Tensor weight = tensors.values(data.dtype(), shape);
      Tensor bias = random.nextBoolean() ? tensors.values(data.dtype(), Shape.of(outputs)) : null;
      check(data, weight, bias, padding, random.nextBoolean() ? "tanh" : "relu");
    }
  }

  @Test
  void largeImagesTakeSeveralBlocks() {
    Tensor data = normal(1, Shape.of(1, 64, 61, 59));
    check(data, normal(0.05, Shape.of(33, 64, 3, 3)), null, AROUND, "none");
  }

  @Test
  void smallImagesShareABlock() {
    Tensor data = normal(1, Shape.of(9, 48, 7, 7));
    Tensor bias = normal(1, Shape.of(64));
    check(data, normal(0.05, Shape.of(64, 48, 3, 3)), bias, AROUND, "none");
  }

  @Test
  void whatIsNotFiniteReachesItsOwnNeighboursOnly() {
    float[] strange = {
      Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, 3e38f, -3e38f, 1e38f
    };
    for (int i = 0; i < 30; i++) {
      Shape shape = Shape.of(2, 19, 9 + random.nextInt(4), 9 + random.nextInt(4));
      float[] pixels = normal(1, shape).toFloatArray();
      for (int j = 0; j < 6; j++) {
        int at = random.nextInt(pixels.length - 1);
        float value = strange[random.nextInt(strange.length)];
        pixels[at] = value;
        pixels[at + 1] = random.nextBoolean() ? value : pixels[at + 1];
      }
      Tensor weight = normal(0.1, Shape.of(40, 19, 3, 3));
      Tensor bias = normal(1, Shape.of(40));
      Tensor data = Tensor.of(pixels, shape);
      Tensor out = convolve(data, weight, bias, AROUND, "none");
      double[] wanted = portable(data, weight, bias, AROUND, "none").toDoubleArray();
      Tensor large = Tensor.zeros(DType.FLOAT32, weight.shape());
      large.fill(0.5);
      double[] sizes = portable(absolute(data), large, null, AROUND, "none").toDoubleArray();
      double[] values = out.toDoubleArray();
      for (int j = 0; j < values.length; j++) {
        if (Double.isFinite(wanted[j])) {
          // A window without large pixels is measured by its own pixels.
          double size = 1 + Math.min(sizes[j], Float.MAX_VALUE);
          assertThat(values[j]).isCloseTo(wanted[j], within(1e-6 * size));
        } else {
          assertThat(values[j]).isEqualTo(Double.valueOf(wanted[j]));
        }
      }
    }
  }

  private static Tensor absolute(Tensor tensor) {
    float[] values = tensor.toFloatArray();
    for (int i = 0; i < values.length; i++) {
      values[i] = Math.abs(values[i]);
    }
    return Tensor.of(values, tensor.shape());
  }

  @Test
  void sumsThatOverflowInTheTransformationOnlyAreFinite() {
    Shape shape = Shape.of(1, 16, 10, 10);
    float[] pixels = new float[16 * 100];
    for (int y = 0; y < 10; y += 4) {
      for (int x = 0; x < 10; x++) {
        pixels[y * 10 + x] = 2.5e38f;
      }
    }
    float[] weights = normal(0.01, Shape.of(32, 16, 3, 3)).toFloatArray();
    for (int i = 0; i < weights.length; i++) {
      weights[i] = 0.005f + Math.abs(weights[i]);
    }
    Tensor weight = Tensor.of(weights, Shape.of(32, 16, 3, 3));
    Tensor out = check(Tensor.of(pixels, shape), weight, null, AROUND, "none");
    for (float value : out.toFloatArray()) {
      assertThat(value).isFinite();
    }
  }

  @Test
  void weightsThatAreNotFiniteSpoilTheirOwnChannelOnly() {
    Shape shape = Shape.of(40, 18, 3, 3);
    float[] weights = normal(0.1, shape).toFloatArray();
    weights[18 * 9 * 3 + 7] = Float.POSITIVE_INFINITY;
    weights[18 * 9 * 20 + 4] = Float.NaN;
    // Finite, but not what they are transformed to.
    for (int i = 0; i < 9; i++) {
      weights[18 * 9 * 39 + i] = 3e38f;
    }
    // Of one sign: what is left of huge products that cancel each other has few digits on any way.
    Shape image = Shape.of(1, 18, 9, 11);
    float[] pixels = normal(0.05, image).toFloatArray();
    for (int i = 0; i < pixels.length; i++) {
      pixels[i] = Math.abs(pixels[i]);
    }
    check(Tensor.of(pixels, image), Tensor.of(weights, shape), null, AROUND, "none");
  }

  @Test
  void theSettingSwitchesItOff() {
    Tensor data = normal(1, Shape.of(1, 32, 16, 16));
    Tensor weight = normal(1, Shape.of(32, 32, 3, 3));
    weight.markConstant();
    Tensor direct = Tensor.zeros(DType.FLOAT32, data.shape());
    System.setProperty(SETTING, "off");
    Kernels.call("conv2d", arguments(data, weight, null, AROUND, "none", direct));
    System.setProperty(SETTING, "auto");
    Tensor transformed = Tensor.zeros(DType.FLOAT32, data.shape());
    Kernels.call("conv2d", arguments(data, weight, null, AROUND, "none", transformed));
    assertThat(transformed.toFloatArray()).isNotEqualTo(direct.toFloatArray());
    compare(transformed, direct);
  }

  @Test
  void anUnknownSettingIsAnError() {
    System.setProperty(SETTING, "yes");
    assertThatThrownBy(() -> Kernels.find("conv2d"))
        .isInstanceOf(BackendException.class)
        .hasMessage("-Drelaxvm.cpu.winograd must be auto or off, but is 'yes'");
  }

  @Test
  void errorsAreNoLargerThanThoseOfADirectSum() {
    Tensor data = normal(1, Shape.of(1, 128, 28, 28));
    Tensor weight = normal(1 / Math.sqrt(128 * 9), Shape.of(128, 128, 3, 3));
    weight.markConstant();
    Tensor exact = Tensor.zeros(DType.FLOAT64, data.shape());
    Kernels.call("conv2d", arguments(wide(data), wide(weight), null, AROUND, "none", exact));
    double transformed = worstError(data, weight, exact.toDoubleArray());
    System.setProperty(SETTING, "off");
    double direct = worstError(data, weight, exact.toDoubleArray());
    System.out.println("worst error: transformed " + transformed + ", direct " + direct);
    assertThat(transformed).isLessThan(direct);
  }

  private static double worstError(Tensor data, Tensor weight, double[] wanted) {
    Tensor out = Tensor.zeros(DType.FLOAT32, data.shape());
    Kernels.call("conv2d", arguments(data, weight, null, AROUND, "none", out));
    double[] values = out.toDoubleArray();
    double worst = 0;
    for (int i = 0; i < values.length; i++) {
      worst = Math.max(worst, Math.abs(values[i] - wanted[i]));
    }
    return worst;
  }

  private static Tensor wide(Tensor tensor) {
    return RandomTensors.of(DType.FLOAT64, tensor.shape(), tensor.toDoubleArray());
  }

  private Tensor normal(double deviation, Shape shape) {
    float[] values = new float[(int) shape.elementCount()];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) (random.nextGaussian() * deviation);
    }
    return Tensor.of(values, shape);
  }

  private Tensor check(
      Tensor data, Tensor weight, @Nullable Tensor bias, Shape padding, String activation) {
    Tensor out = convolve(data, weight, bias, padding, activation);
    compare(out, portable(data, weight, bias, padding, activation));
    return out;
  }

  private Tensor convolve(
      Tensor data, Tensor weight, @Nullable Tensor bias, Shape padding, String activation) {
    Tensor out = tensors.output(data.dtype(), outShape(data, weight, padding));
    weight.markConstant();
    Kernels.call("conv2d", arguments(data, weight, bias, padding, activation, out));
    return out;
  }

  private static Tensor portable(
      Tensor data, Tensor weight, @Nullable Tensor bias, Shape padding, String activation) {
    Tensor out = Tensor.zeros(data.dtype(), outShape(data, weight, padding));
    Conv2dKernel.run(
        KernelCall.checked(
            KernelLibrary.standard().find("relaxvm.conv2d").orElseThrow(),
            CallArgs.of(arguments(data, weight, bias, padding, activation, out)),
            CodeChoice.portable()));
    return out;
  }

  private static Shape outShape(Tensor data, Tensor weight, Shape padding) {
    return Shape.of(
        data.shape().dim(0),
        weight.shape().dim(0),
        data.shape().dim(2) + padding.dim(0) + padding.dim(2) - 2,
        data.shape().dim(3) + padding.dim(1) + padding.dim(3) - 2);
  }

  private static void compare(Tensor actual, Tensor wanted) {
    double[] expected = wanted.toDoubleArray();
    Expected.check(
        actual,
        3 * Expected.tolerance(actual.dtype()),
        at -> Expected.element(expected, wanted.shape(), at));
  }

  private static @Nullable Object[] arguments(
      Tensor data,
      Tensor weight,
      @Nullable Tensor bias,
      Shape padding,
      String activation,
      Tensor out) {
    return new @Nullable Object[] {data, weight, bias, ONE, padding, ONE, 1, activation, out};
  }
}
