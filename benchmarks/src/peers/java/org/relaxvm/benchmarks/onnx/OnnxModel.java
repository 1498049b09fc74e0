package org.relaxvm.benchmarks.onnx;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.OperatorSetIdProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import ai.onnx.proto.OnnxMl.TensorShapeProto;
import ai.onnx.proto.OnnxMl.TypeProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import com.google.protobuf.ByteString;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.Tensor;

/** An ONNX model of one operator on float32 tensors, with the one output {@link #OUTPUT}. */
final class OnnxModel {
  /** Name of the output. */
  static final String OUTPUT = "out";

  private static final String INDICES = "indices";
  private static final int FLOAT32 = TensorProto.DataType.FLOAT_VALUE;
  private static final int INT64 = TensorProto.DataType.INT64_VALUE;
  private static final long FORMAT = 9;
  private static final long OPERATORS = 20;

  private final NodeProto.Builder node = NodeProto.newBuilder();
  private final GraphProto.Builder graph = GraphProto.newBuilder().setName("one");
  private final ModelProto.Builder model = ModelProto.newBuilder().setIrVersion(FORMAT);

  private ValueInfoProto.@Nullable Builder indicesOutput;

  private OnnxModel(String domain, long version, String operator) {
    node.setDomain(domain).setOpType(operator);
    model.addOpsetImport(OperatorSetIdProto.newBuilder().setDomain(domain).setVersion(version));
  }

  /** A model of an operator of ONNX. */
  static OnnxModel of(String operator) {
    return new OnnxModel("", OPERATORS, operator);
  }

  /** A model of an operator that only ONNX Runtime has. */
  static OnnxModel ofRuntime(String operator) {
    return new OnnxModel("com.microsoft", 1, operator);
  }

  /** Adds an input, which each call of the model gives. */
  OnnxModel input(String name, long... dims) {
    node.addInput(name);
    graph.addInput(value(name, FLOAT32, dims));
    return this;
  }

  /** Adds an input that is part of the model, so that it may be prepared when the model is read. */
  OnnxModel constant(String name, Tensor values) {
    float[] elements = values.toFloatArray();
    ByteBuffer bytes =
        ByteBuffer.allocate(elements.length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asFloatBuffer().put(elements);
    TensorProto.Builder tensor = TensorProto.newBuilder().setName(name).setDataType(FLOAT32);
    for (long dim : values.shape().toArray()) {
      tensor.addDims(dim);
    }
    node.addInput(name);
    graph.addInitializer(tensor.setRawData(ByteString.copyFrom(bytes)));
    return this;
  }

  /** Adds an input of int64 that is part of the model. */
  OnnxModel indices(String name, long... values) {
    TensorProto.Builder tensor =
        TensorProto.newBuilder().setName(name).setDataType(INT64).addDims(values.length);
    for (long value : values) {
      tensor.addInt64Data(value);
    }
    node.addInput(name);
    graph.addInitializer(tensor);
    return this;
  }

  OnnxModel attribute(String name, long value) {
    node.addAttribute(
        AttributeProto.newBuilder()
            .setName(name)
            .setType(AttributeProto.AttributeType.INT)
            .setI(value));
    return this;
  }

  OnnxModel attribute(String name, long[] values) {
    AttributeProto.Builder attribute =
        AttributeProto.newBuilder().setName(name).setType(AttributeProto.AttributeType.INTS);
    for (long value : values) {
      attribute.addInts(value);
    }
    node.addAttribute(attribute);
    return this;
  }

  OnnxModel attribute(String name, float value) {
    node.addAttribute(
        AttributeProto.newBuilder()
            .setName(name)
            .setType(AttributeProto.AttributeType.FLOAT)
            .setF(value));
    return this;
  }

  /** Adds an output of int64 behind the other one, which is not looked at. */
  OnnxModel indicesOutput(long... dims) {
    indicesOutput = value(INDICES, INT64, dims);
    return this;
  }

  /** The file, with an output of the dtype, float32 or int64, and the shape of a tensor. */
  byte[] bytes(Tensor output) {
    int type = output.dtype().equals(DType.INT64) ? INT64 : FLOAT32;
    NodeProto.Builder wholeNode = node.clone().addOutput(OUTPUT);
    GraphProto.Builder whole =
        graph.clone().addOutput(value(OUTPUT, type, output.shape().toArray()));
    if (indicesOutput != null) {
      wholeNode.addOutput(INDICES);
      whole.addOutput(indicesOutput);
    }
    return model.clone().setGraph(whole.addNode(wholeNode)).build().toByteArray();
  }

  private static ValueInfoProto.Builder value(String name, int elements, long... dims) {
    TensorShapeProto.Builder shape = TensorShapeProto.newBuilder();
    for (long dim : dims) {
      shape.addDim(TensorShapeProto.Dimension.newBuilder().setDimValue(dim));
    }
    return ValueInfoProto.newBuilder()
        .setName(name)
        .setType(
            TypeProto.newBuilder()
                .setTensorType(
                    TypeProto.Tensor.newBuilder().setElemType(elements).setShape(shape)));
  }
}
