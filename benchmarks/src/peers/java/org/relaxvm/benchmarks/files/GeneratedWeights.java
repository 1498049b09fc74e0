package org.relaxvm.benchmarks.files;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.benchmarks.onnx.OnnxParts;

/**
 * Gives a light model weights: what nodes {@code ConstantOfShape} make becomes part of the file. Of
 * more than one axis they are random, of a size that keeps the values of the model in range;
 * vectors stay what the nodes say.
 *
 * <p>Arguments: the light model, the file to write.
 */
public final class GeneratedWeights {
  private static final String OPERATOR = "ConstantOfShape";

  private GeneratedWeights() {}

  /** Writes a model. */
  public static void main(String[] args) throws IOException {
    ModelProto model;
    try (InputStream in = Files.newInputStream(Path.of(args[0]))) {
      model = ModelProto.parseFrom(in);
    }
    GraphProto.Builder graph = model.getGraph().toBuilder().clearNode();
    Map<String, TensorProto> initializers = new HashMap<>();
    model.getGraph().getInitializerList().forEach(t -> initializers.put(t.getName(), t));
    Random random = new Random(1);
    for (NodeProto node : model.getGraph().getNodeList()) {
      TensorProto shape =
          node.getOpType().equals(OPERATOR) ? initializers.get(node.getInput(0)) : null;
      if (shape == null) {
        graph.addNode(node);
      } else {
        graph.addInitializer(
            OnnxParts.constant(node.getOutput(0), values(numbers(shape), value(node), random)));
      }
    }
    try (OutputStream out = Files.newOutputStream(Path.of(args[1]))) {
      model.toBuilder().setGraph(graph).build().writeTo(out);
    }
  }

  private static long[] numbers(TensorProto tensor) {
    if (tensor.getInt64DataCount() > 0) {
      return tensor.getInt64DataList().stream().mapToLong(Long::longValue).toArray();
    }
    long[] numbers = new long[tensor.getRawData().size() / Long.BYTES];
    tensor
        .getRawData()
        .asReadOnlyByteBuffer()
        .order(ByteOrder.LITTLE_ENDIAN)
        .asLongBuffer()
        .get(numbers);
    return numbers;
  }

  private static float value(NodeProto node) {
    for (AttributeProto attribute : node.getAttributeList()) {
      TensorProto value = attribute.getT();
      return value.getFloatDataCount() > 0
          ? value.getFloatData(0)
          : value.getRawData().asReadOnlyByteBuffer().order(ByteOrder.LITTLE_ENDIAN).getFloat();
    }
    return 0;
  }

  private static Tensor values(long[] dims, float value, Random random) {
    Shape shape = Shape.of(dims);
    float[] values = new float[(int) shape.elementCount()];
    Arrays.fill(values, value);
    if (dims.length > 1) {
      double bound = Math.sqrt(6.0 * dims[0] / values.length);
      for (int i = 0; i < values.length; i++) {
        values[i] = (float) ((random.nextDouble() * 2 - 1) * bound);
      }
    }
    return Tensor.of(values, shape);
  }
}
