package org.relaxvm.benchmarks.models;

import java.util.List;
import org.relaxvm.api.DType;

/** A model that both sides are given. */
interface Model {
  /** Seed of the weights. */
  long SEED = 1;

  List<Input> inputs();

  /** Writes the model down and gives its outputs. */
  <V> List<V> build(Layers<V> layers, List<V> inputs, Weights weights);

  /**
   * An input.
   *
   * @param dims extents: a {@link Long}, or the name of one that is not known
   */
  record Input(String name, DType dtype, List<Object> dims) {}
}
