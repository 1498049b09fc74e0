package org.relaxvm.benchmarks.first;

import java.util.List;
import org.relaxvm.api.Tensor;

/** A model that is ready to be called. */
interface LoadedModel extends AutoCloseable {
  List<Input> inputs() throws Exception;

  /** Sets the inputs of all calls; they are read in place. */
  void bind(List<Tensor> tensors) throws Exception;

  /** Calls the model and releases its result. */
  void call() throws Exception;

  /** Calls the model; the first elements of the first output. */
  float[] callForResult(int elements) throws Exception;

  @Override
  void close() throws Exception;

  /**
   * An input.
   *
   * @param dims extents; -1 where symbolic
   */
  record Input(String name, boolean isInteger, long[] dims) {}
}
