package org.relaxvm.backendcpu.kernel;

import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.kernels.KernelLibrary;
import org.relaxvm.api.kernels.KernelSignature;
import org.relaxvm.backendcpu.kernel.normalization.NormalizationKernels;
import org.relaxvm.backendtestkit.definition.Definition;
import org.relaxvm.backendtestkit.definition.Definitions;
import org.relaxvm.backendtestkit.definition.KernelRequest;
import org.relaxvm.backendtestkit.definition.MemoryOperand;

/**
 * Normalizations of lines that lie side by side in memory, such as groups of channels that lie
 * last: in the code of this JVM and in portable code.
 */
class NeighbouringLinesTest {
  private static final double EPSILON = 0.25;
  private static final int SOME = 40;

  private final Random random = Kernels.random(NeighbouringLinesTest.class);
  private final RandomTensors tensors = new RandomTensors(random);

  @Test
  void groupsOfAnyWidthInTheLastAxisEqualTheDefinition() {
    for (DType dtype : RandomTensors.FLOATS) {
      for (int size : new int[] {1, 2, 3, 16, 17, 70}) {
        for (int groups : new int[] {1, 2, 5}) {
          for (int positions : new int[] {1, 2, 7, 25, 61}) {
            Shape shape = Shape.of(2, positions, size * groups);
            groupNorm(compact(dtype, shape), groups, 2, Shape.of(1), true);
          }
        }
      }
    }
  }

  @Test
  void groupsOfManyChannelsAndPositionsEqualTheDefinition() {
    for (DType dtype : RandomTensors.FLOATS) {
      groupNorm(compact(dtype, Shape.of(1, 90, 70, 3)), 1, 3, Shape.of(1, 2), false);
      groupNorm(compact(dtype, Shape.of(1, 90, 70, 3)), 3, 3, Shape.of(1, 2), false);
      groupNorm(compact(dtype, Shape.of(3, 9, 2500)), 2500, 2, Shape.of(1), false);
      groupNorm(compact(dtype, Shape.of(17, 2, 2, 34)), 2, 3, Shape.of(1, 2), false);
      groupNorm(compact(dtype, Shape.of(2, 3, 1034)), 2, 2, Shape.of(1), false);
    }
  }

  @Test
  void channelsThatLieLastWithoutBeingTheLastAxisEqualTheDefinition() {
    for (DType dtype : RandomTensors.FLOATS) {
      // Images of 9 x 7 pixels and 34 channels, which are seen as the second axis.
      Tensor block = compact(dtype, Shape.of(2, 9, 7, 34));
      long[] strides = {9 * 7 * 34, 1, 7 * 34, 34};
      Tensor x = block.stridedView(Shape.of(2, 34, 9, 7), strides, 0);
      groupNorm(x, 2, 1, Shape.of(2, 3), true);
      groupNorm(x, 17, 1, Shape.of(2, 3), true);
    }
  }

  @Test
  void rowsWithGapsEqualTheDefinition() {
    for (DType dtype : RandomTensors.FLOATS) {
      Tensor block = compact(dtype, Shape.of(2 * 11 * 8 * 40));
      long[] strides = {11 * 8 * 40, 8 * 40, 40, 1};
      for (int channels : new int[] {6, 34}) {
        Tensor x = block.stridedView(Shape.of(2, 10, 7, channels), strides, 3);
        groupNorm(x, 2, 3, Shape.of(1, 2), true);
        groupNorm(x, 2, 3, Shape.of(2), true);
        groupNorm(x, 2, 3, Shape.of(1), true);
      }
    }
  }

  @Test
  void tensorsOfAnyStridesEqualTheDefinition() {
    for (DType dtype : RandomTensors.FLOATS) {
      for (int i = 0; i < 60; i++) {
        int groups = 1 + random.nextInt(4);
        int size = random.nextInt(6);
        Shape shape =
            Shape.of(random.nextInt(4), random.nextInt(5), 1 + random.nextInt(4), groups * size);
        Shape axes = random.nextBoolean() ? Shape.of(1, 2) : Shape.of(2);
        groupNorm(tensors.values(dtype, shape), groups, 3, axes, random.nextBoolean());
      }
    }
  }

  @Test
  void emptyTensorsAreLeftAlone() {
    for (DType dtype : RandomTensors.FLOATS) {
      groupNorm(compact(dtype, Shape.of(0, 5, 4)), 2, 2, Shape.of(1), false);
      groupNorm(compact(dtype, Shape.of(2, 0, 4)), 2, 2, Shape.of(1), false);
      groupNorm(compact(dtype, Shape.of(2, 5, 0)), 2, 2, Shape.of(1), false);
    }
  }

  @Test
  void linesAlongAnAxisThatIsNotTheLastEqualTheDefinition() {
    for (DType dtype : RandomTensors.FLOATS) {
      lines(compact(dtype, Shape.of(2, 19, 37)), Shape.of(1));
      lines(compact(dtype, Shape.of(5, 4, 1100)), Shape.of(1));
      lines(compact(dtype, Shape.of(67, 3)), Shape.of(0));
      lines(compact(dtype, Shape.of(40, 700)), Shape.of(0));
      lines(compact(dtype, Shape.of(2, 6, 5, 9)), Shape.of(1));
      lines(compact(dtype, Shape.of(2, 6, 5, 9)), Shape.of(1, 3));
      lines(compact(dtype, Shape.of(7, 2, 9)), Shape.of(2, 0));
      lines(tensors.values(dtype, Shape.of(4, 5, 6)), Shape.of(1));
      lines(tensors.values(dtype, Shape.of(4, 5, 6)), Shape.of(0, 2));
    }
  }

  @Test
  void linesAlongTheLastAxisEqualTheDefinition() {
    for (DType dtype : RandomTensors.FLOATS) {
      for (int length : new int[] {1, 2, 7, 8, 31, 33, 67, 1024, 4096, 4099, 9001}) {
        lines(compact(dtype, Shape.of(1 + random.nextInt(5), length)), Shape.of(1));
      }
    }
  }

  @Test
  void resultsMayTakeThePlacesOfTheElements() {
    for (DType dtype : RandomTensors.FLOATS) {
      Tensor x = compact(dtype, Shape.of(2, 600, 34));
      Tensor out = copy(x);
      Kernels.call("group_norm", out, null, null, 2, 2, Shape.of(1), EPSILON, out);
      check("group_norm", out, x, null, null, 2, 2, Shape.of(1), EPSILON, copy(x));
    }
  }

  /** Distances from the mean are small beside it: squares must not be those of the elements. */
  @Test
  void largeMeansDoNotDrownSmallDistances() {
    for (DType dtype : new DType[] {DType.FLOAT32, DType.FLOAT64}) {
      Shape shape = Shape.of(1, 3000, 12);
      // A mean is rounded, which must not show.
      double mean = dtype.equals(DType.FLOAT32) ? 16 : 256;
      double[] values = new double[3000 * 12];
      for (int i = 0; i < values.length; i++) {
        // Quarters, and another mean further down.
        values[i] = mean + i / 12000 + random.nextInt(9) / 4.0;
      }
      groupNorm(RandomTensors.of(dtype, shape, values), 3, 2, Shape.of(1), false);
    }
  }

  @Test
  void numbersThatAreNotFiniteStayInTheirGroup() {
    for (float extreme : new float[] {Float.NaN, Float.POSITIVE_INFINITY}) {
      Shape shape = Shape.of(2, 50, 34);
      float[] values = new float[2 * 50 * 34];
      for (int i = 0; i < values.length; i++) {
        values[i] = random.nextInt(9);
      }
      values[23 * 34 + 20] = extreme;
      Tensor x = Tensor.of(values, shape);
      groupNorm(x, 2, 2, Shape.of(1), false);
      groupNorm(x, 34, 2, Shape.of(1), false);
      lines(x, Shape.of(1));
    }
  }

  private Tensor compact(DType dtype, Shape shape) {
    return copy(tensors.values(dtype, shape));
  }

  private static Tensor copy(Tensor x) {
    Tensor copy = Tensor.zeros(x.dtype(), x.shape());
    x.copyInto(copy);
    return copy;
  }

  private void groupNorm(Tensor x, int groups, int axis, Shape axes, boolean strided) {
    Shape channels = Shape.of(x.shape().dim(axis));
    Tensor gamma = random.nextInt(4) == 0 ? null : tensors.values(x.dtype(), channels);
    Tensor beta = random.nextInt(4) == 0 ? null : tensors.values(x.dtype(), channels);
    Tensor out =
        strided ? tensors.output(x.dtype(), x.shape()) : Tensor.zeros(x.dtype(), x.shape());
    run("group_norm", x, gamma, beta, groups, axis, axes, EPSILON, out);
  }

  private void lines(Tensor x, Shape axes) {
    long[] dims = new long[axes.rank()];
    for (int i = 0; i < dims.length; i++) {
      dims[i] = x.shape().dim((int) axes.dim(i));
    }
    Tensor gamma = tensors.values(x.dtype(), Shape.of(dims));
    Tensor beta = tensors.values(x.dtype(), Shape.of(dims));
    Tensor out = tensors.output(x.dtype(), x.shape());
    run("layer_norm", x, gamma, beta, axes, EPSILON, out);
    run("layer_norm", x, null, beta, axes, EPSILON, out);
    run("layer_norm", x, gamma, null, axes, EPSILON, out);
    run("rms_norm", x, gamma, axes, EPSILON, out);
    run("rms_norm", x, null, axes, EPSILON, out);
  }

  private void run(String name, @Nullable Object... args) {
    Tensor out = (Tensor) Objects.requireNonNull(args[args.length - 1]);
    Kernels.call(name, args);
    check(name, out, args);
    out.fill(Double.NaN);
    KernelSignature signature = signature(name);
    CpuKernel portable =
        switch (name) {
          case "group_norm" -> NormalizationKernels.group(null);
          case "layer_norm" -> NormalizationKernels.layer(null);
          default -> NormalizationKernels.rms(null);
        };
    portable.run(KernelCall.checked(signature, CallArgs.of(args), CodeChoice.portable()));
    check(name, out, args);
  }

  /** Checks all elements, or some where the definition would look at too many. */
  private void check(String name, Tensor actual, @Nullable Object... args) {
    KernelRequest request = KernelRequest.of(signature(name), CallArgs.of(args), MemoryOperand::of);
    Definition.ElementFunction wanted =
        Objects.requireNonNull(Definitions.standard().get("relaxvm." + name)).define(request);
    long count = actual.shape().elementCount();
    int every = (int) Math.max(1, count / SOME);
    int first = random.nextInt(every);
    Expected.check(
        actual,
        Expected.tolerance(actual.dtype()),
        first,
        every,
        at -> Double.longBitsToDouble(wanted.at(at)));
  }

  private static KernelSignature signature(String name) {
    return KernelLibrary.standard().find("relaxvm." + name).orElseThrow();
  }
}
