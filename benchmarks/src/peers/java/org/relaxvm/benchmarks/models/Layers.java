package org.relaxvm.benchmarks.models;

import org.relaxvm.api.Tensor;

/**
 * What models are made of, float32 unless said otherwise.
 *
 * @param <V> a value: an expression of Relax IR, or the name of one in an ONNX graph
 */
interface Layers<V> {
  /** {@code x @ weight + bias}; the weight is {@code [in, out]}. */
  V dense(V x, Tensor weight, Tensor bias);

  V matmul(V a, V b);

  V add(V a, V b);

  V scale(V x, float factor);

  V relu(V x);

  /** With the error function. */
  V gelu(V x);

  /** Along the last axis. */
  V softmax(V x);

  /** Along the last axis, with an epsilon of 1e-5. */
  V layerNorm(V x, Tensor gamma, Tensor beta);

  /** Rows of a table; indices are int64. */
  V take(Tensor table, V indices);

  /** Another shape; 0 keeps an extent, as ONNX has it. */
  V reshape(V x, long... dims);

  V transpose(V x, int... axes);

  V concat(V a, V b, int axis);

  /** Images {@code [n, c, h, w]}, filters {@code [out, in, k, k]} of an odd extent, padded. */
  V convolution(V x, Tensor filters, Tensor bias, long stride);

  /** The largest of squares that do not overlap. */
  V maxPool(V x, long extent);

  /** The mean of each channel: {@code [n, c, h, w]} to {@code [n, c]}. */
  V globalAverage(V x);

  /** {@code softmax(q @ k^T / sqrt(d)) @ v} of {@code [batch, length, heads, d]}. */
  V attention(V query, V key, V value, int width);
}
