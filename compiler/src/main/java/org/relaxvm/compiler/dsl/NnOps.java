package org.relaxvm.compiler.dsl;

import java.util.List;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.TupleGetItem;
import org.relaxvm.compiler.op.elementwise.Activations;
import org.relaxvm.compiler.op.nn.Attention;
import org.relaxvm.compiler.op.nn.AxisActivations;
import org.relaxvm.compiler.op.nn.ConvOptions;
import org.relaxvm.compiler.op.nn.Convolutions;
import org.relaxvm.compiler.op.nn.Norms;
import org.relaxvm.compiler.op.nn.Padding;
import org.relaxvm.compiler.op.nn.PoolOptions;
import org.relaxvm.compiler.op.nn.Pools;

/**
 * The operators of neural networks that models have most, to be imported statically beside {@link
 * Ops}.
 */
public final class NnOps {
  private NnOps() {}

  /** {@code max(x, 0)}. */
  public static Call relu(Expr x) {
    return Activations.relu(x);
  }

  /** {@code min(max(x, 0), 6)}. */
  public static Call relu6(Expr x) {
    return Activations.relu6(x);
  }

  /** {@code x > 0 ? x : alpha * x}. */
  public static Call leakyRelu(Expr x, double alpha) {
    return Activations.leakyRelu(x, alpha);
  }

  /** {@code x * (0.5 + erf(x * sqrt(0.5)) * 0.5)}. */
  public static Call gelu(Expr x) {
    return Activations.gelu(x);
  }

  /** {@code x * sigmoid(x)}. */
  public static Call silu(Expr x) {
    return Activations.silu(x);
  }

  /** {@code exp(x) / sum(exp(x))} along an axis. */
  public static Call softmax(Expr x, int axis) {
    return AxisActivations.softmax(x, axis);
  }

  /** {@code log(softmax(x))} along an axis. */
  public static Call logSoftmax(Expr x, int axis) {
    return AxisActivations.logSoftmax(x, axis);
  }

  /** The convolution of images {@code [n, c, h, w]} with kernels {@code [o, c, kh, kw]}. */
  public static Call conv2d(Expr x, Expr weight, ConvOptions options) {
    return Convolutions.conv2d(x, weight, options);
  }

  /** The largest elements of windows of images {@code [n, c, h, w]}. */
  public static Call maxPool2d(Expr x, PoolOptions options) {
    return Pools.maxPool2d(x, options);
  }

  /** The means of windows of images {@code [n, c, h, w]}. */
  public static Call avgPool2d(Expr x, PoolOptions options) {
    return Pools.avgPool2d(x, options);
  }

  /** The normalization of batches with known statistics: the tensor only, without them. */
  public static TupleGetItem batchNorm(
      Expr x, Expr gamma, Expr beta, Expr mean, Expr variance, double epsilon) {
    return new TupleGetItem(Norms.batchNorm(x, gamma, beta, mean, variance, epsilon), 0);
  }

  /** The normalization over some axes. */
  public static Call layerNorm(Expr x, Expr gamma, Expr beta, List<Integer> axes, double epsilon) {
    return Norms.layerNorm(x, gamma, beta, axes, epsilon);
  }

  /** The normalization by the root of the mean of squares over some axes. */
  public static Call rmsNorm(Expr x, Expr weight, List<Integer> axes, double epsilon) {
    return Norms.rmsNorm(x, weight, axes, epsilon);
  }

  /** Elements around a tensor; pairs of widths, two for each axis. */
  public static Call pad(Expr x, List<Long> widths, double value) {
    return Padding.pad(x, widths, value);
  }

  /** The attention of queries {@code [b, s, h, d]} to keys and values. */
  public static Call attention(Expr query, Expr key, Expr value) {
    return Attention.attention(query, key, value);
  }
}
