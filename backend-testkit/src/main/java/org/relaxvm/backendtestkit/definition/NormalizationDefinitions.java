package org.relaxvm.backendtestkit.definition;

import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Shape;

/** Normalization by statistics of lines, groups and channels. */
final class NormalizationDefinitions {
  private NormalizationDefinitions() {}

  static void addTo(Map<String, Definition> all) {
    all.put("layer_norm", NormalizationDefinitions::layerNorm);
    all.put("rms_norm", NormalizationDefinitions::rmsNorm);
    all.put("group_norm", NormalizationDefinitions::groupNorm);
    all.put("batch_norm", NormalizationDefinitions::batchNorm);
  }

  private static Definition.ElementFunction layerNorm(KernelRequest request) {
    Operand x = request.operand("x");
    int[] axes = axes(request, x.shape().rank());
    @Nullable Operand gamma = factor(request, "gamma", along(x.shape(), axes));
    @Nullable Operand beta = factor(request, "beta", along(x.shape(), axes));
    double epsilon = request.number("epsilon").doubleValue();
    request.requireOut(x.shape().toArray());
    return at -> {
      Line line = Line.along(x, at, axes);
      long[] index = pick(at, axes);
      double scaled = (x.doubleAt(at) - line.mean()) / Math.sqrt(line.variance() + epsilon);
      return ElementBits.ofDouble(scaled * element(gamma, 1, index) + element(beta, 0, index));
    };
  }

  private static Definition.ElementFunction rmsNorm(KernelRequest request) {
    Operand x = request.operand("x");
    int[] axes = axes(request, x.shape().rank());
    @Nullable Operand weight = factor(request, "weight", along(x.shape(), axes));
    double epsilon = request.number("epsilon").doubleValue();
    request.requireOut(x.shape().toArray());
    return at -> {
      double root = Math.sqrt(Line.along(x, at, axes).meanSquare(0) + epsilon);
      return ElementBits.ofDouble(x.doubleAt(at) / root * element(weight, 1, pick(at, axes)));
    };
  }

  private static Definition.ElementFunction groupNorm(KernelRequest request) {
    Operand x = request.operand("x");
    int rank = x.shape().rank();
    request.require(rank >= 1, "x", "a tensor of rank 1 or more");
    int channelAxis = request.axis("channel_axis", rank);
    long channels = x.shape().dim(channelAxis);
    long groups = request.integer("num_groups");
    request.require(
        groups >= 1 && channels % groups == 0, "num_groups", "a divisor of " + channels);
    int[] axes = axes(request, rank);
    for (int axis : axes) {
      request.require(
          axis != channelAxis, "axes", "axes without " + channelAxis + ", that of the channels,");
    }
    @Nullable Operand gamma = factor(request, "gamma", Shape.of(channels));
    @Nullable Operand beta = factor(request, "beta", Shape.of(channels));
    double epsilon = request.number("epsilon").doubleValue();
    request.requireOut(x.shape().toArray());
    return at -> {
      long size = channels / groups;
      long channel = at[channelAxis];
      Line line = Line.along(x, at, axes).in(channelAxis, channel / size * size, size);
      double scaled = (x.doubleAt(at) - line.mean()) / Math.sqrt(line.variance() + epsilon);
      return ElementBits.ofDouble(scaled * element(gamma, 1, channel) + element(beta, 0, channel));
    };
  }

  private static Definition.ElementFunction batchNorm(KernelRequest request) {
    Operand x = request.operand("x");
    request.require(x.shape().rank() >= 1, "x", "a tensor of rank 1 or more");
    int axis = request.axis("axis", x.shape().rank());
    Shape channels = Shape.of(x.shape().dim(axis));
    @Nullable Operand gamma = factor(request, "gamma", channels);
    @Nullable Operand beta = factor(request, "beta", channels);
    Operand mean = Objects.requireNonNull(factor(request, "mean", channels));
    Operand variance = Objects.requireNonNull(factor(request, "variance", channels));
    double epsilon = request.number("epsilon").doubleValue();
    request.requireOut(x.shape().toArray());
    return at -> {
      long channel = at[axis];
      double root = Math.sqrt(variance.doubleAt(channel) + epsilon);
      double scaled = (x.doubleAt(at) - mean.doubleAt(channel)) / root;
      return ElementBits.ofDouble(scaled * element(gamma, 1, channel) + element(beta, 0, channel));
    };
  }

  /** The elements that an element is normalized with. */
  private record Line(Operand x, long[] first, Shape window) {
    static Line along(Operand x, long[] at, int[] axes) {
      long[] first = at.clone();
      long[] window = new long[at.length];
      Arrays.fill(window, 1);
      for (int axis : axes) {
        first[axis] = 0;
        window[axis] = x.shape().dim(axis);
      }
      return new Line(x, first, Shape.of(window));
    }

    /** The same positions in several channels. */
    Line in(int channelAxis, long firstChannel, long channels) {
      long[] start = Indices.with(first, channelAxis, firstChannel);
      return new Line(x, start, Shape.of(Indices.with(window.toArray(), channelAxis, channels)));
    }

    double mean() {
      double sum = 0;
      for (long number = 0; number < window.elementCount(); number++) {
        sum += element(number);
      }
      return sum / window.elementCount();
    }

    double variance() {
      return meanSquare(mean());
    }

    double meanSquare(double centre) {
      double sum = 0;
      for (long number = 0; number < window.elementCount(); number++) {
        double distance = element(number) - centre;
        sum += distance * distance;
      }
      return sum / window.elementCount();
    }

    private double element(long number) {
      long[] index = Indices.indexOf(number, window);
      for (int axis = 0; axis < index.length; axis++) {
        index[axis] += first[axis];
      }
      return x.doubleAt(index);
    }
  }

  private static int[] axes(KernelRequest request, int rank) {
    long[] given = Objects.requireNonNull(request.shapeOrNull("axes")).toArray();
    int[] axes = new int[given.length];
    boolean[] seen = new boolean[rank];
    for (int i = 0; i < given.length; i++) {
      long axis = given[i] < 0 ? given[i] + rank : given[i];
      request.require(
          axis >= 0 && axis < rank && !seen[(int) axis],
          "axes",
          "distinct axes of a tensor of rank " + rank);
      axes[i] = (int) axis;
      seen[axes[i]] = true;
    }
    return axes;
  }

  private static @Nullable Operand factor(KernelRequest request, String name, Shape shape) {
    @Nullable Operand factor = request.operandOrNull(name);
    request.require(factor == null || factor.shape().equals(shape), name, "shape " + shape);
    return factor;
  }

  private static Shape along(Shape shape, int[] axes) {
    return Shape.of(pick(shape.toArray(), axes));
  }

  private static long[] pick(long[] values, int[] axes) {
    long[] picked = new long[axes.length];
    for (int i = 0; i < axes.length; i++) {
      picked[i] = values[axes[i]];
    }
    return picked;
  }

  private static double element(@Nullable Operand factor, double otherwise, long... index) {
    return factor == null ? otherwise : factor.doubleAt(index);
  }
}
