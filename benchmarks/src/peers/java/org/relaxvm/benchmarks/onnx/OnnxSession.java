package org.relaxvm.benchmarks.onnx;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.relaxvm.api.DType;
import org.relaxvm.api.Tensor;

/**
 * The peer's side of a row. Inputs are read where our kernel reads them, the output is one that is
 * allocated once: neither side copies or allocates.
 */
final class OnnxSession implements AutoCloseable {
  private final OrtSession session;
  private final Map<String, OnnxTensor> inputs;
  private final OnnxTensor output;
  private final ByteBuffer result;
  private final boolean whole;

  private OnnxSession(
      OrtSession session,
      Map<String, OnnxTensor> inputs,
      OnnxTensor output,
      ByteBuffer result,
      boolean whole) {
    this.session = session;
    this.inputs = inputs;
    this.output = output;
    this.result = result;
    this.whole = whole;
  }

  /** Reads the model of a row. */
  static OnnxSession open(OrtEnvironment environment, Row row, int threads) throws OrtException {
    long[] dims = row.output().shape().toArray();
    try (OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
      options.setIntraOpNumThreads(threads);
      // Its threads would go on spinning after a call and keep a core from the other side.
      options.addConfigEntry("session.force_spinning_stop", "1");
      OrtSession session = environment.createSession(row.model().bytes(row.output()), options);
      List<String> names = new ArrayList<>(session.getInputNames());
      Map<String, OnnxTensor> inputs = new LinkedHashMap<>();
      for (int i = 0; i < names.size(); i++) {
        Tensor input = row.inputs().get(i);
        inputs.put(
            names.get(i),
            OnnxTensor.createTensor(
                environment, floats(input.segment().asByteBuffer()), input.shape().toArray()));
      }
      ByteBuffer result =
          ByteBuffer.allocateDirect(Math.toIntExact(row.output().byteSize()))
              .order(ByteOrder.nativeOrder());
      boolean whole = row.output().dtype().equals(DType.INT64);
      OnnxTensor output =
          whole
              ? OnnxTensor.createTensor(environment, result.asLongBuffer(), dims)
              : OnnxTensor.createTensor(environment, result.asFloatBuffer(), dims);
      return new OnnxSession(session, inputs, output, result, whole);
    }
  }

  void run() throws OrtException {
    session.run(inputs, Set.of(), Map.of(OnnxModel.OUTPUT, output)).close();
  }

  float[] output() {
    float[] values = new float[result.capacity() / (whole ? Long.BYTES : Float.BYTES)];
    for (int i = 0; i < values.length; i++) {
      values[i] = whole ? result.asLongBuffer().get(i) : result.asFloatBuffer().get(i);
    }
    return values;
  }

  @Override
  public void close() throws OrtException {
    inputs.values().forEach(OnnxTensor::close);
    output.close();
    session.close();
  }

  private static FloatBuffer floats(ByteBuffer bytes) {
    return bytes.order(ByteOrder.nativeOrder()).asFloatBuffer();
  }
}
