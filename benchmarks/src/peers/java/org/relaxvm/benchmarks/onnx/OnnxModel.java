package org.relaxvm.benchmarks.onnx;

import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.OperatorSetIdProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.Tensor;

/** An ONNX model of one operator on float32 tensors, with the one output {@link #OUTPUT}. */
final class OnnxModel {
  /** Name of the output. */
  static final String OUTPUT = "out";

  private static final String INDICES = "indices";

  private final NodeProto.Builder node = NodeProto.newBuilder();
  private final GraphProto.Builder graph = GraphProto.newBuilder().setName("one");
  private final ModelProto.Builder model = ModelProto.newBuilder().setIrVersion(OnnxParts.FORMAT);

  private @Nullable ValueInfoProto indicesOutput;

  private OnnxModel(String domain, long version, String operator) {
    node.setDomain(domain).setOpType(operator);
    model.addOpsetImport(OperatorSetIdProto.newBuilder().setDomain(domain).setVersion(version));
  }

  /** A model of an operator of ONNX. */
  static OnnxModel of(String operator) {
    return new OnnxModel("", OnnxParts.OPERATORS, operator);
  }

  /** A model of an operator that only ONNX Runtime has. */
  static OnnxModel ofRuntime(String operator) {
    return new OnnxModel("com.microsoft", 1, operator);
  }

  /** Adds an input, which each call of the model gives. */
  OnnxModel input(String name, long... dims) {
    node.addInput(name);
    graph.addInput(value(name, OnnxParts.FLOAT32, dims));
    return this;
  }

  /** Adds an input that is part of the model, so that it may be prepared when the model is read. */
  OnnxModel constant(String name, Tensor values) {
    node.addInput(name);
    graph.addInitializer(OnnxParts.constant(name, values));
    return this;
  }

  /** Adds an input of int64 that is part of the model. */
  OnnxModel indices(String name, long... values) {
    node.addInput(name);
    graph.addInitializer(OnnxParts.indices(name, values));
    return this;
  }

  OnnxModel attribute(String name, long value) {
    node.addAttribute(OnnxParts.attribute(name, value));
    return this;
  }

  OnnxModel attribute(String name, long[] values) {
    node.addAttribute(OnnxParts.attribute(name, values));
    return this;
  }

  OnnxModel attribute(String name, float value) {
    node.addAttribute(OnnxParts.attribute(name, value));
    return this;
  }

  /** Adds an output of int64 behind the other one, which is not looked at. */
  OnnxModel indicesOutput(long... dims) {
    indicesOutput = value(INDICES, OnnxParts.INT64, dims);
    return this;
  }

  /** The file, with an output of the dtype, float32 or int64, and the shape of a tensor. */
  byte[] bytes(Tensor output) {
    int type = output.dtype().equals(DType.INT64) ? OnnxParts.INT64 : OnnxParts.FLOAT32;
    NodeProto.Builder wholeNode = node.clone().addOutput(OUTPUT);
    GraphProto.Builder whole =
        graph.clone().addOutput(value(OUTPUT, type, output.shape().toArray()));
    if (indicesOutput != null) {
      wholeNode.addOutput(INDICES);
      whole.addOutput(indicesOutput);
    }
    return model.clone().setGraph(whole.addNode(wholeNode)).build().toByteArray();
  }

  private static ValueInfoProto value(String name, int elements, long... dims) {
    return OnnxParts.value(
        name, elements, Arrays.stream(dims).<Object>mapToObj(Long::valueOf).toList());
  }
}
