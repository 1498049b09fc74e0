package org.relaxvm.benchmarks.first;

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

/** A model in ONNX Runtime, with its default optimizations, which are all. */
final class RuntimeModel implements LoadedModel {
  private final OrtEnvironment environment;
  private final OrtSession session;
  private final Map<String, OnnxTensor> arguments = new LinkedHashMap<>();

  RuntimeModel(Path file, int threads) throws OrtException {
    environment = OrtEnvironment.getEnvironment();
    try (OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
      options.setIntraOpNumThreads(threads);
      options.setSessionLogLevel(OrtLoggingLevel.ORT_LOGGING_LEVEL_ERROR);
      session = environment.createSession(file.toString(), options);
    }
  }

  @Override
  public List<Input> inputs() throws OrtException {
    List<Input> inputs = new ArrayList<>();
    for (NodeInfo node : session.getInputInfo().values()) {
      TensorInfo info = (TensorInfo) node.getInfo();
      inputs.add(new Input(node.getName(), info.type == OnnxJavaType.INT64, info.getShape()));
    }
    return inputs;
  }

  @Override
  public void bind(List<Tensor> tensors) throws OrtException {
    List<String> names = List.copyOf(session.getInputNames());
    for (int i = 0; i < names.size(); i++) {
      Tensor tensor = tensors.get(i);
      ByteBuffer bytes = tensor.segment().asByteBuffer().order(ByteOrder.nativeOrder());
      long[] dims = tensor.shape().toArray();
      arguments.put(
          names.get(i),
          tensor.dtype().equals(DType.INT64)
              ? OnnxTensor.createTensor(environment, bytes.asLongBuffer(), dims)
              : OnnxTensor.createTensor(environment, bytes.asFloatBuffer(), dims));
    }
  }

  @Override
  public void call() throws OrtException {
    session.run(arguments).close();
  }

  @Override
  public float[] callForResult(int elements) throws OrtException {
    try (OrtSession.Result result = session.run(arguments)) {
      FloatBuffer values = ((OnnxTensor) result.get(0)).getFloatBuffer();
      float[] first = new float[Math.min(elements, values.capacity())];
      values.get(0, first);
      return first;
    }
  }

  @Override
  public void close() throws OrtException {
    arguments.values().forEach(OnnxTensor::close);
    session.close();
  }
}
