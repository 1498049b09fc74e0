package org.relaxvm.benchmarks.models;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;

/**
 * A model in ONNX Runtime, with the optimizations that it has by itself, which are all. It reads
 * inputs where our program reads them and writes outputs that are allocated once.
 */
final class OnnxRun implements AutoCloseable {
  private final OrtSession session;
  private final Map<String, OnnxTensor> inputs = new LinkedHashMap<>();
  private final Map<String, OnnxTensor> outputs = new LinkedHashMap<>();
  private final List<FloatBuffer> results = new ArrayList<>();

  private OnnxRun(OrtSession session) {
    this.session = session;
  }

  static OnnxRun open(
      OrtEnvironment environment,
      ModelCase call,
      List<Shape> outputs,
      int threads,
      Optional<Path> profile)
      throws OrtException {
    byte[] file = OnnxLayers.file(call.model(), outputs.stream().map(Shape::rank).toList());
    try (OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
      options.setIntraOpNumThreads(threads);
      // Its threads would go on spinning after a call and keep a core from the other side.
      options.addConfigEntry("session.force_spinning_stop", "1");
      if (profile.isPresent()) {
        options.enableProfiling(profile.get().toString());
      }
      OnnxRun run = new OnnxRun(environment.createSession(file, options));
      for (int i = 0; i < call.inputs().size(); i++) {
        run.inputs.put(
            call.model().inputs().get(i).name(), shared(environment, call.inputs().get(i)));
      }
      List<String> names = List.copyOf(run.session.getOutputNames());
      for (int i = 0; i < outputs.size(); i++) {
        Shape shape = outputs.get(i);
        FloatBuffer result =
            ByteBuffer.allocateDirect(Math.toIntExact(shape.elementCount() * Float.BYTES))
                .order(ByteOrder.nativeOrder())
                .asFloatBuffer();
        run.results.add(result);
        run.outputs.put(
            names.get(i), OnnxTensor.createTensor(environment, result, shape.toArray()));
      }
      return run;
    }
  }

  private static OnnxTensor shared(OrtEnvironment environment, Tensor tensor) throws OrtException {
    ByteBuffer bytes = tensor.segment().asByteBuffer().order(ByteOrder.nativeOrder());
    long[] dims = tensor.shape().toArray();
    return tensor.dtype().equals(DType.INT64)
        ? OnnxTensor.createTensor(environment, bytes.asLongBuffer(), dims)
        : OnnxTensor.createTensor(environment, bytes.asFloatBuffer(), dims);
  }

  void run() throws OrtException {
    session.run(inputs, Set.of(), outputs).close();
  }

  /** Ends the profile that it was opened with. */
  Path endProfile() throws OrtException {
    return Path.of(session.endProfiling());
  }

  float[] output(int index) {
    float[] values = new float[results.get(index).capacity()];
    results.get(index).get(0, values);
    return values;
  }

  @Override
  public void close() throws OrtException {
    inputs.values().forEach(OnnxTensor::close);
    outputs.values().forEach(OnnxTensor::close);
    session.close();
  }
}
