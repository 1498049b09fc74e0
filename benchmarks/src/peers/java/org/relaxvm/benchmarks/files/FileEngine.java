package org.relaxvm.benchmarks.files;

import java.util.List;
import java.util.Map;
import org.relaxvm.api.Tensor;

/** A model that is loaded, in an engine. */
interface FileEngine extends AutoCloseable {
  /** Names, dtypes and extents of the inputs; a symbolic extent is -1. */
  List<Input> inputs();

  /** Runs the model once, and gives the first elements of its first output. */
  float[] run(Map<String, Tensor> inputs) throws Exception;

  @Override
  void close() throws Exception;

  /** An input. */
  record Input(String name, boolean isInteger, long[] dims) {}
}
