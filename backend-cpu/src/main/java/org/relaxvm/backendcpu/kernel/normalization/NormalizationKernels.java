package org.relaxvm.backendcpu.kernel.normalization;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.backendcpu.element.Operand;
import org.relaxvm.backendcpu.kernel.CpuKernel;
import org.relaxvm.backendcpu.kernel.KernelCall;

/**
 * Layer, RMS and group normalization: checks arguments and cuts {@code x} into lines. Without the
 * vector code that may be given, all are computed in float64.
 */
public final class NormalizationKernels {
  private NormalizationKernels() {}

  /** {@code relaxvm.layer_norm}. */
  public static CpuKernel layer(@Nullable LineMath vectors) {
    return call -> {
      Tensor x = call.tensor(0);
      int[] axes = call.distinctAxes(3, x.shape().rank());
      call.requireShape(5, x.shape());
      Operand in = Operand.of(x);
      Operand gamma = alongAxes(call, 1, in, axes, 1);
      Operand beta = alongAxes(call, 2, in, axes, 0);
      double epsilon = call.args().doubleAt(4);
      lines(call, in, gamma, beta, axes, epsilon, true).run(call, vectors);
    };
  }

  /** {@code relaxvm.rms_norm}. */
  public static CpuKernel rms(@Nullable LineMath vectors) {
    return call -> {
      Tensor x = call.tensor(0);
      int[] axes = call.distinctAxes(2, x.shape().rank());
      call.requireShape(4, x.shape());
      Operand in = Operand.of(x);
      Operand weight = alongAxes(call, 1, in, axes, 1);
      Operand nothing = call.constant(0, in);
      double epsilon = call.args().doubleAt(3);
      lines(call, in, weight, nothing, axes, epsilon, false).run(call, vectors);
    };
  }

  /** {@code relaxvm.group_norm}. */
  public static CpuKernel group(@Nullable LineMath vectors) {
    return call -> {
      Tensor x = call.tensor(0);
      int rank = call.requireAxes(0);
      int channelAxis = call.axis(4, rank);
      long channels = x.shape().dim(channelAxis);
      long groups = call.args().longAt(3);
      if (groups < 1 || channels % groups != 0) {
        throw call.wrong(3, "a divisor of " + channels, Long.toString(groups));
      }
      int[] axes = call.distinctAxes(5, rank);
      int[] reduced = new int[axes.length + 1];
      for (int i = 0; i < axes.length; i++) {
        if (axes[i] == channelAxis) {
          throw call.wrong(
              5,
              "axes without " + channelAxis + ", that of the channels,",
              call.args().shapeAt(5).toString());
        }
        // The axis of the channels becomes two: groups, and channels of a group.
        reduced[i] = axes[i] < channelAxis ? axes[i] : axes[i] + 1;
      }
      reduced[axes.length] = channelAxis + 1;
      call.requireShape(7, x.shape());
      Operand in = Operand.of(x);
      Operand gamma = grouped(call.perChannel(1, in, channelAxis, 1), channelAxis, groups);
      Operand beta = grouped(call.perChannel(2, in, channelAxis, 0), channelAxis, groups);
      Operand out = grouped(Operand.of(call.output()), channelAxis, groups);
      plan(
              x.dtype(),
              grouped(in, channelAxis, groups),
              gamma,
              beta,
              out,
              reduced,
              call.args().doubleAt(6),
              true)
          .run(call, vectors);
    };
  }

  private static Normalization lines(
      KernelCall call,
      Operand x,
      Operand gamma,
      Operand beta,
      int[] axes,
      double epsilon,
      boolean centred) {
    Operand out = Operand.of(call.output());
    return plan(call.output().dtype(), x, gamma, beta, out, axes, epsilon, centred);
  }

  private static Normalization plan(
      DType dtype,
      Operand x,
      Operand gamma,
      Operand beta,
      Operand out,
      int[] axes,
      double epsilon,
      boolean centred) {
    int[] reduced = axes.clone();
    Arrays.sort(reduced);
    int[] kept = new int[x.rank() - reduced.length];
    int next = 0;
    for (int axis = 0; axis < x.rank(); axis++) {
      if (Arrays.binarySearch(reduced, axis) < 0) {
        kept[next++] = axis;
      }
    }
    return new Normalization(dtype, x, gamma, beta, out, reduced, kept, epsilon, centred);
  }

  /** A factor whose axes are some of those of {@code x}, or a number in its place. */
  private static Operand alongAxes(
      KernelCall call, int index, Operand x, int[] axes, double otherwise) {
    Tensor tensor = call.optionalTensor(index);
    if (tensor == null) {
      return call.constant(otherwise, x);
    }
    long[] dims = new long[axes.length];
    for (int i = 0; i < axes.length; i++) {
      dims[i] = x.dim(axes[i]);
    }
    call.requireShape(index, Shape.of(dims));
    Operand factor = Operand.of(tensor);
    long[] strides = new long[x.rank()];
    for (int i = 0; i < axes.length; i++) {
      strides[axes[i]] = factor.stride(i);
    }
    return new Operand(factor.memory(), factor.offset(), x.dims(), strides);
  }

  /** The operand with the axis of the channels cut in two. */
  private static Operand grouped(Operand operand, int channelAxis, long groups) {
    int rank = operand.rank();
    long[] dims = new long[rank + 1];
    long[] strides = new long[rank + 1];
    for (int axis = 0; axis < rank; axis++) {
      int place = axis <= channelAxis ? axis : axis + 1;
      dims[place] = operand.dim(axis);
      strides[place] = operand.stride(axis);
    }
    long size = operand.dim(channelAxis) / groups;
    dims[channelAxis] = groups;
    dims[channelAxis + 1] = size;
    strides[channelAxis + 1] = operand.stride(channelAxis);
    strides[channelAxis] = operand.stride(channelAxis) * size;
    return new Operand(operand.memory(), operand.offset(), dims, strides);
  }
}
