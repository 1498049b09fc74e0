package org.relaxvm.benchmarks.files;

import ai.onnxruntime.NodeInfo;
import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtLoggingLevel;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.TensorInfo;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.relaxvm.api.DType;
import org.relaxvm.api.Tensor;

/** ONNX Runtime on the CPU. */
final class RuntimeEngine implements FileEngine {
  private final OrtEnvironment environment = OrtEnvironment.getEnvironment();
  private final OrtSession session;

  RuntimeEngine(Path file, int threads) throws OrtException {
    try (OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
      options.setIntraOpNumThreads(threads);
      options.setSessionLogLevel(OrtLoggingLevel.ORT_LOGGING_LEVEL_ERROR);
      session = environment.createSession(file.toString(), options);
    }
  }

  @Override
  public List<Input> inputs() {
    List<Input> inputs = new ArrayList<>();
    try {
      for (NodeInfo node : session.getInputInfo().values()) {
        TensorInfo info = (TensorInfo) node.getInfo();
        inputs.add(new Input(node.getName(), info.type == OnnxJavaType.INT64, info.getShape()));
      }
    } catch (OrtException e) {
      throw new IllegalStateException(e);
    }
    return inputs;
  }

  @Override
  public float[] run(Map<String, Tensor> inputs) throws OrtException {
    Map<String, OnnxTensor> tensors = new LinkedHashMap<>();
    for (Map.Entry<String, Tensor> input : inputs.entrySet()) {
      tensors.put(input.getKey(), tensor(input.getValue()));
    }
    try (OrtSession.Result result = session.run(tensors)) {
      FloatBuffer values = ((OnnxTensor) result.get(0)).getFloatBuffer();
      float[] first = new float[FileRun.COMPARED];
      values.get(0, first, 0, Math.min(first.length, values.capacity()));
      return first;
    } finally {
      tensors.values().forEach(OnnxTensor::close);
    }
  }

  private OnnxTensor tensor(Tensor tensor) throws OrtException {
    ByteBuffer bytes = tensor.segment().asByteBuffer().order(ByteOrder.nativeOrder());
    long[] dims = tensor.shape().toArray();
    return tensor.dtype().equals(DType.INT64)
        ? OnnxTensor.createTensor(environment, bytes.asLongBuffer(), dims)
        : OnnxTensor.createTensor(environment, bytes.asFloatBuffer(), dims);
  }

  @Override
  public void close() throws OrtException {
    session.close();
  }
}
