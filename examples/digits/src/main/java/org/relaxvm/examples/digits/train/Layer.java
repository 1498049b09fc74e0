package org.relaxvm.examples.digits.train;

import java.util.List;

/**
 * One step of the network on a single image. Layers hold parameters but no activations, so one
 * layer can be used from several threads with separate buffers.
 */
interface Layer {
  /** Number of input values. */
  int inputSize();

  /** Number of output values. */
  int outputSize();

  /** The trained tensors, in a fixed order; empty for most layers. */
  List<Parameter> parameters();

  /** Writes every output value from {@code in}. */
  void forward(float[] in, float[] out);

  /**
   * Carries the loss gradient back through the layer.
   *
   * @param in what {@link #forward} read
   * @param out what {@link #forward} wrote
   * @param outGradient gradient by output
   * @param inGradient gradient by input; overwritten
   * @param parameterGradients one array per parameter; added to
   */
  void backward(
      float[] in,
      float[] out,
      float[] outGradient,
      float[] inGradient,
      List<float[]> parameterGradients);
}
