package org.relaxvm.backendcpu.kernel;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.kernels.Activation;
import org.relaxvm.api.parallel.WorkerPool;
import org.relaxvm.backendcpu.element.Lanes;
import org.relaxvm.backendcpu.element.Operand;

/**
 * A call of {@code relaxvm.conv2d} whose arguments fit together. Immutable; used by several threads
 * during the call.
 *
 * @param dtype of all operands
 * @param floats how to compute in float32
 * @param data {@code [n, c, h, w]}
 * @param weight {@code [o, c / groups, kh, kw]}
 * @param weights the tensor of the weights, which may be a constant
 * @param bias {@code [o]}; null for none
 * @param residual {@code [n, o, oh, ow]}; null for none
 * @param out {@code [n, o, oh, ow]}
 * @param workers null outside of a VM
 */
public record Convolution(
    DType dtype,
    Lanes<float[]> floats,
    Operand data,
    Operand weight,
    Tensor weights,
    @Nullable Operand bias,
    @Nullable Operand residual,
    Activation activation,
    Operand out,
    Window.Pair windows,
    long groups,
    @Nullable WorkerPool workers) {

  /** Checks the arguments of a call. */
  public static Convolution of(KernelCall call) {
    return of(call, 3);
  }

  /** Checks the arguments of a call of {@code relaxvm.conv2d_residual}. */
  public static Convolution ofResidual(KernelCall call) {
    return of(call, 4);
  }

  /**
   * Checks the arguments of a call.
   *
   * @param first of the attributes; the fourth argument, where those come later, is the residual
   */
  private static Convolution of(KernelCall call, int first) {
    call.requireRank(0, 4);
    call.requireRank(1, 4);
    Shape data = call.tensor(0).shape();
    Shape weight = call.tensor(1).shape();
    long groups = groups(call, data, weight, first + 3);
    if (weight.dim(2) < 1 || weight.dim(3) < 1) {
      throw call.wrongShape(1, "a shape whose last two extents are at least 1");
    }
    Tensor biasTensor = call.optionalTensor(2);
    Operand bias = null;
    if (biasTensor != null) {
      call.requireShape(2, Shape.of(weight.dim(0)));
      bias = Operand.of(biasTensor);
    }
    Window.Pair windows = Window.pair(call, 0, new long[] {weight.dim(2), weight.dim(3)}, first);
    long rows = windows.vertical().positions(false);
    long columns = windows.horizontal().positions(false);
    Shape shape = Shape.of(data.dim(0), weight.dim(0), rows, columns);
    call.requireShape(first + 5, shape);
    Operand residual = null;
    if (first == 4) {
      call.requireShape(3, shape);
      residual = Operand.of(call.tensor(3));
    }
    return new Convolution(
        call.output().dtype(),
        call.floats(),
        Operand.of(call.tensor(0)),
        Operand.of(call.tensor(1)),
        call.tensor(1),
        bias,
        residual,
        call.activation(first + 4),
        Operand.of(call.output()),
        windows,
        groups,
        call.workers());
  }

  private static long groups(KernelCall call, Shape data, Shape weight, int index) {
    long groups = call.args().longAt(index);
    if (groups < 1 || data.dim(1) % groups != 0 || weight.dim(0) % groups != 0) {
      throw call.wrong(
          index,
          "a positive divisor of "
              + data.dim(1)
              + " input and "
              + weight.dim(0)
              + " output channels",
          Long.toString(groups));
    }
    @Nullable String wrong =
        weight.dim(1) == data.dim(1) / groups ? null : "a shape [o, " + data.dim(1) / groups;
    if (wrong != null) {
      throw call.wrongShape(
          1, wrong + ", kh, kw] for " + data.dim(1) + " input channels in " + groups + " groups");
    }
    return groups;
  }

  /** Output channels of a group. */
  public long outputsPerGroup() {
    return out.dim(1) / groups;
  }

  /** Input channels of a group. */
  public long inputsPerGroup() {
    return weight.dim(1);
  }

  /** Products that are added for one element. */
  public long depth() {
    return weight.dim(1) * weight.dim(2) * weight.dim(3);
  }

  /** Pixels of an output channel. */
  public long pixels() {
    return out.dim(2) * out.dim(3);
  }

  /** Whether the weights of an output channel follow each other at one distance. */
  public boolean weightRowsAreEven() {
    return weight.stride(2) == weight.stride(3) * weight.dim(3)
        && weight.stride(1) == weight.stride(2) * weight.dim(2);
  }
}
