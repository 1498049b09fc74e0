package org.relaxvm.backendcpu.kernel;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.kernels.Activation;
import org.relaxvm.backendcpu.element.Operand;

/**
 * {@code relaxvm.conv2d_transpose} as convolutions. With strides of 2, every second row and column
 * of the output is an ordinary convolution of the input, with every second element of the window in
 * reverse order, and so are the others with the other elements. So there is one convolution for
 * each place in a cell as large as the strides, on views of the operands.
 */
final class TransposedConvolution {
  private final KernelCall call;
  private final Operand data;
  private final Operand weight;
  private final @Nullable Operand bias;
  private final Operand out;
  private final Activation activation;
  private final long groups;
  private final long[] strides;
  private final long[] padding;
  private final long[] dilation;

  /** Checks the arguments of a call. */
  TransposedConvolution(KernelCall call) {
    this.call = call;
    call.requireRank(0, 4);
    call.requireRank(1, 4);
    data = Operand.of(call.tensor(0));
    weight = Operand.of(call.tensor(1));
    groups = call.args().longAt(7);
    if (groups < 1 || data.dim(1) % groups != 0) {
      throw call.wrong(
          7, "a positive divisor of " + data.dim(1) + " input channels", Long.toString(groups));
    }
    if (weight.dim(0) != data.dim(1) || weight.dim(2) < 1 || weight.dim(3) < 1) {
      throw call.wrongShape(
          1,
          "a shape ["
              + data.dim(1)
              + ", o / groups, kh, kw] whose last two extents are at least 1");
    }
    strides = call.extents(3, 2, 1);
    padding = call.extents(4, 4, 0);
    long[] more = call.extents(5, 2, 0);
    dilation = call.extents(6, 2, 1);
    if (more[0] >= strides[0] || more[1] >= strides[1]) {
      throw call.wrong(5, "less than the strides " + Shape.of(strides), Shape.of(more).toString());
    }
    long outputs = weight.dim(1) * groups;
    Tensor biasTensor = call.optionalTensor(2);
    if (biasTensor != null) {
      call.requireShape(2, Shape.of(outputs));
    }
    bias = biasTensor == null ? null : Operand.of(biasTensor);
    call.requireShape(9, Shape.of(data.dim(0), outputs, extent(0, more), extent(1, more)));
    out = Operand.of(call.output());
    activation = call.activation(8);
  }

  private long extent(int axis, long[] more) {
    long whole =
        (data.dim(2 + axis) - 1) * strides[axis]
            + dilation[axis] * (weight.dim(2 + axis) - 1)
            + more[axis]
            + 1;
    return Math.max(0, whole - padding[axis] - padding[axis + 2]);
  }

  /** The convolutions that make up the output; each of them writes elements of its own. */
  List<Convolution> parts() {
    List<Convolution> parts = new ArrayList<>();
    for (long y = 0; y < Math.min(strides[0], out.dim(2)); y++) {
      Phase vertical = phase(0, y);
      for (long x = 0; x < Math.min(strides[1], out.dim(3)); x++) {
        Phase horizontal = phase(1, x);
        for (long group = 0; group < groups; group++) {
          parts.add(part(group, vertical, horizontal));
        }
      }
    }
    return parts;
  }

  /**
   * Every so many places of an axis of the output.
   *
   * @param first place
   * @param count of places
   * @param last element of the window that meets them
   * @param step to the one before
   * @param window over the input, over the elements from the last one to the first
   */
  private record Phase(long first, long count, long last, long step, Window window) {}

  private Phase phase(int axis, long first) {
    long stride = strides[axis];
    long size = weight.dim(2 + axis);
    long count = Math.ceilDiv(out.dim(2 + axis) - first, stride);
    long step = 1;
    while (step * dilation[axis] % stride != 0) {
      step++;
    }
    long last = size - 1;
    while (last >= 0 && (first + padding[axis] - last * dilation[axis]) % stride != 0) {
      last--;
    }
    long elements = last < 0 ? 0 : last / step + 1;
    long before = last < 0 ? 0 : (last * dilation[axis] - first - padding[axis]) / stride;
    long apart = step * dilation[axis] / stride;
    long input = data.dim(2 + axis);
    long after = count - input - before + Math.max(0, elements - 1) * apart;
    return new Phase(
        first, count, last, step, new Window(input, elements, 1, before, after, apart));
  }

  private Convolution part(long group, Phase vertical, Phase horizontal) {
    long inputs = data.dim(1) / groups;
    long outputs = weight.dim(1);
    long firstInput = group * inputs;
    long firstOutput = group * outputs;
    Operand image =
        new Operand(
            data.memory(),
            data.offset() + firstInput * data.stride(1),
            new long[] {data.dim(0), inputs, data.dim(2), data.dim(3)},
            data.strides());
    Operand factors =
        new Operand(
            weight.memory(),
            weight.offset()
                + firstInput * weight.stride(0)
                + vertical.last() * weight.stride(2)
                + horizontal.last() * weight.stride(3),
            new long[] {outputs, inputs, vertical.window().size(), horizontal.window().size()},
            new long[] {
              weight.stride(1),
              weight.stride(0),
              -vertical.step() * weight.stride(2),
              -horizontal.step() * weight.stride(3)
            });
    Operand shift =
        bias == null
            ? null
            : new Operand(
                bias.memory(),
                bias.offset() + firstOutput * bias.stride(0),
                new long[] {outputs},
                bias.strides());
    Operand target =
        new Operand(
            out.memory(),
            out.offset()
                + firstOutput * out.stride(1)
                + vertical.first() * out.stride(2)
                + horizontal.first() * out.stride(3),
            new long[] {out.dim(0), outputs, vertical.count(), horizontal.count()},
            new long[] {
              out.stride(0), out.stride(1), strides[0] * out.stride(2), strides[1] * out.stride(3)
            });
    return new Convolution(
        call.output().dtype(),
        call.floats(),
        image,
        factors,
        call.tensor(1),
        shift,
        null,
        activation,
        target,
        new Window.Pair(vertical.window(), horizontal.window()),
        1,
        call.workers());
  }
}
