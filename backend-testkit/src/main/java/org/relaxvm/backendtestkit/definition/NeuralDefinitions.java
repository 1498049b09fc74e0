package org.relaxvm.backendtestkit.definition;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.kernels.Activation;

/** Matmul, convolution and pooling. */
final class NeuralDefinitions {
  private NeuralDefinitions() {}

  static void addTo(Map<String, Definition> all) {
    all.put("matmul", request -> matmul(request, true));
    all.put("matmul_residual", request -> matmul(request, true));
    all.put("matmul_integer", request -> matmul(request, false));
    all.put("conv2d", NeuralDefinitions::conv2d);
    all.put("conv2d_residual", NeuralDefinitions::conv2d);
    all.put("conv2d_transpose", NeuralDefinitions::conv2dTranspose);
    all.put("max_pool2d", request -> pool(request, true));
    all.put("avg_pool2d", request -> pool(request, false));
  }

  private static Definition.ElementFunction matmul(KernelRequest request, boolean withEpilogue) {
    Operand a = request.operand("a");
    Operand b = request.operand("b");
    request.require(a.shape().rank() >= 2, "a", "a tensor of rank 2 or more");
    request.require(b.shape().rank() >= 2, "b", "a tensor of rank 2 or more");
    boolean swapA = request.flag("transpose_a");
    boolean swapB = request.flag("transpose_b");
    int rank = Math.max(a.shape().rank(), b.shape().rank());
    long k = end(a, swapA ? 2 : 1);
    request.require(end(b, swapB ? 1 : 2) == k, "b", "a matrix of " + k + " rows");
    long[] dims = new long[rank];
    dims[rank - 2] = end(a, swapA ? 1 : 2);
    dims[rank - 1] = end(b, swapB ? 2 : 1);
    for (int fromEnd = 3; fromEnd <= rank; fromEnd++) {
      long left = end(a, fromEnd);
      long right = end(b, fromEnd);
      request.require(
          left == right || left == 1 || right == 1, "b", "a shape whose leading axes broadcast");
      dims[rank - fromEnd] = left == 1 ? right : left;
    }
    request.requireOut(dims);
    @Nullable Operand bias = withEpilogue ? request.operandOrNull("bias") : null;
    Shape out = request.out().shape();
    request.require(
        bias == null || Indices.broadcasts(bias.shape(), out),
        "bias",
        "a shape that broadcasts to " + out);
    @Nullable Operand residual = residual(request);
    DType dtype = request.out().dtype();
    Activation activation = withEpilogue ? activation(request, dtype) : Activation.NONE;
    return at -> {
      Sum sum = new Sum(dtype);
      for (long p = 0; p < k; p++) {
        sum.addProduct(
            element(a, at, swapA, at[rank - 2], p), element(b, at, swapB, p, at[rank - 1]));
      }
      if (bias != null) {
        sum.add(bias.broadcastAt(at));
      }
      if (residual != null) {
        sum.add(residual.bitsAt(at));
      }
      return sum.result(activation);
    };
  }

  /** What a kernel with a residual adds to each element; null for other kernels. */
  private static @Nullable Operand residual(KernelRequest request) {
    if (!request.signature().name().endsWith("_residual")) {
      return null;
    }
    Shape out = request.out().shape();
    request.require(
        request.operand("residual").shape().equals(out), "residual", "the shape " + out);
    return request.operand("residual");
  }

  /** An extent counted from the last axis, 1 for the last; 1 where there is no such axis. */
  private static long end(Operand operand, int fromEnd) {
    int axis = operand.shape().rank() - fromEnd;
    return axis < 0 ? 1 : operand.shape().dim(axis);
  }

  private static long element(Operand matrix, long[] at, boolean swap, long row, long column) {
    int rank = matrix.shape().rank();
    long[] index = new long[rank];
    for (int axis = 0; axis < rank - 2; axis++) {
      index[axis] = matrix.shape().dim(axis) == 1 ? 0 : at[at.length - rank + axis];
    }
    index[rank - 2] = swap ? column : row;
    index[rank - 1] = swap ? row : column;
    return matrix.bitsAt(index);
  }

  private static Definition.ElementFunction conv2d(KernelRequest request) {
    Operand data = request.operand("data");
    Operand weight = request.operand("weight");
    request.require(data.shape().rank() == 4, "data", "rank 4");
    request.require(weight.shape().rank() == 4, "weight", "rank 4");
    long groups = request.integer("groups");
    long channels = data.shape().dim(1);
    long outputs = weight.shape().dim(0);
    request.require(
        groups >= 1 && channels % groups == 0 && outputs % groups == 0,
        "groups",
        "a positive divisor of the channels");
    request.require(
        weight.shape().dim(1) == channels / groups
            && weight.shape().dim(2) >= 1
            && weight.shape().dim(3) >= 1,
        "weight",
        "a shape [o, " + channels / groups + ", kh, kw]");
    long[] size = {weight.shape().dim(2), weight.shape().dim(3)};
    Window window = Window.of(request, data.shape(), size, false);
    @Nullable Operand bias = request.operandOrNull("bias");
    request.require(
        bias == null || bias.shape().equals(Shape.of(outputs)), "bias", "shape [" + outputs + "]");
    request.requireOut(data.shape().dim(0), outputs, window.extent(0), window.extent(1));
    @Nullable Operand residual = residual(request);
    Activation activation = activation(request, data.dtype());
    return at -> {
      Sum sum = new Sum(data.dtype());
      long firstChannel = at[1] / (outputs / groups) * (channels / groups);
      window.forEachInside(
          at,
          (y, x, ky, kx) -> {
            for (long c = 0; c < channels / groups; c++) {
              sum.addProduct(
                  data.bitsAt(at[0], firstChannel + c, y, x), weight.bitsAt(at[1], c, ky, kx));
            }
          });
      if (bias != null) {
        sum.add(bias.bitsAt(at[1]));
      }
      if (residual != null) {
        sum.add(residual.bitsAt(at));
      }
      return sum.result(activation);
    };
  }

  private static Definition.ElementFunction conv2dTranspose(KernelRequest request) {
    Operand data = request.operand("data");
    Operand weight = request.operand("weight");
    request.require(data.shape().rank() == 4, "data", "rank 4");
    request.require(weight.shape().rank() == 4, "weight", "rank 4");
    long groups = request.integer("groups");
    long channels = data.shape().dim(1);
    request.require(
        groups >= 1 && channels % groups == 0, "groups", "a positive divisor of the channels");
    request.require(
        weight.shape().dim(0) == channels
            && weight.shape().dim(2) >= 1
            && weight.shape().dim(3) >= 1,
        "weight",
        "a shape [" + channels + ", o / groups, kh, kw]");
    long perGroup = weight.shape().dim(1);
    long outputs = perGroup * groups;
    long[] strides = request.numbers("strides", 2, 1);
    long[] padding = request.numbers("padding", 4, 0);
    long[] more = request.numbers("output_padding", 2, 0);
    long[] dilation = request.numbers("dilation", 2, 1);
    request.require(
        more[0] < strides[0] && more[1] < strides[1], "output_padding", "less than the strides");
    @Nullable Operand bias = request.operandOrNull("bias");
    request.require(
        bias == null || bias.shape().equals(Shape.of(outputs)), "bias", "shape [" + outputs + "]");
    long[] extents = new long[2];
    for (int i = 0; i < 2; i++) {
      long extent =
          (data.shape().dim(2 + i) - 1) * strides[i]
              - padding[i]
              - padding[i + 2]
              + dilation[i] * (weight.shape().dim(2 + i) - 1)
              + more[i]
              + 1;
      extents[i] = Math.max(0, extent);
    }
    request.requireOut(data.shape().dim(0), outputs, extents[0], extents[1]);
    Activation activation = activation(request, data.dtype());
    return at -> {
      Sum sum = new Sum(data.dtype());
      long firstChannel = at[1] / perGroup * (channels / groups);
      for (long ky = 0; ky < weight.shape().dim(2); ky++) {
        for (long kx = 0; kx < weight.shape().dim(3); kx++) {
          long y = source(at[2] + padding[0] - ky * dilation[0], strides[0], data.shape().dim(2));
          long x = source(at[3] + padding[1] - kx * dilation[1], strides[1], data.shape().dim(3));
          for (long c = 0; y >= 0 && x >= 0 && c < channels / groups; c++) {
            sum.addProduct(
                data.bitsAt(at[0], firstChannel + c, y, x),
                weight.bitsAt(firstChannel + c, at[1] % perGroup, ky, kx));
          }
        }
      }
      if (bias != null) {
        sum.add(bias.bitsAt(at[1]));
      }
      return sum.result(activation);
    };
  }

  /** The index whose multiple by the stride this is; -1 where there is none in the image. */
  private static long source(long multiple, long stride, long extent) {
    boolean exists = multiple >= 0 && multiple % stride == 0 && multiple / stride < extent;
    return exists ? multiple / stride : -1;
  }

  private static Definition.ElementFunction pool(KernelRequest request, boolean max) {
    Operand x = request.operand("x");
    request.require(x.shape().rank() == 4, "x", "rank 4");
    long[] size = request.numbers("pool_size", 2, 1);
    Window window = Window.of(request, x.shape(), size, request.flag("ceil_mode"));
    request.requireOut(x.shape().dim(0), x.shape().dim(1), window.extent(0), window.extent(1));
    boolean whole = !max && request.flag("count_include_pad");
    return at -> {
      Sum sum = new Sum(x.dtype());
      long[] largest = {Sum.smallest(x.dtype())};
      long[] inside = {0};
      window.forEachInside(
          at,
          (y, column, ky, kx) -> {
            long bits = x.bitsAt(at[0], at[1], y, column);
            largest[0] = Sum.larger(largest[0], bits, x.dtype());
            sum.add(bits);
            inside[0]++;
          });
      long divisor = whole ? size[0] * size[1] : Math.max(1, inside[0]);
      return max ? largest[0] : sum.dividedBy(divisor);
    };
  }

  private static Activation activation(KernelRequest request, DType dtype) {
    Activation activation = Activation.of(request.signature().name(), request.string("activation"));
    request.require(
        dtype.isFloat() || activation.acceptsIntegers(),
        "activation",
        "'none' or 'relu' for " + dtype);
    return activation;
  }
}
