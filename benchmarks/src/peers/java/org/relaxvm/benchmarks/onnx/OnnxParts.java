package org.relaxvm.benchmarks.onnx;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import ai.onnx.proto.OnnxMl.TensorShapeProto;
import ai.onnx.proto.OnnxMl.TypeProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import com.google.protobuf.ByteString;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.relaxvm.api.Tensor;

/** What models in the ONNX format are put together from. */
public final class OnnxParts {
  /** Version of the format. */
  public static final long FORMAT = 9;

  /** Version of the set of operators. */
  public static final long OPERATORS = 20;

  /** Elements of 32-bit floating point. */
  public static final int FLOAT32 = TensorProto.DataType.FLOAT_VALUE;

  /** Elements of 64-bit integers. */
  public static final int INT64 = TensorProto.DataType.INT64_VALUE;

  private OnnxParts() {}

  /** Float32 elements that are part of a model. */
  public static TensorProto constant(String name, Tensor values) {
    float[] elements = values.toFloatArray();
    ByteBuffer bytes =
        ByteBuffer.allocate(elements.length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asFloatBuffer().put(elements);
    TensorProto.Builder tensor = TensorProto.newBuilder().setName(name).setDataType(FLOAT32);
    for (long dim : values.shape().toArray()) {
      tensor.addDims(dim);
    }
    return tensor.setRawData(ByteString.copyFrom(bytes)).build();
  }

  /** Int64 numbers that are part of a model. */
  public static TensorProto indices(String name, long... values) {
    TensorProto.Builder tensor =
        TensorProto.newBuilder().setName(name).setDataType(INT64).addDims(values.length);
    for (long value : values) {
      tensor.addInt64Data(value);
    }
    return tensor.build();
  }

  /** A number. */
  public static AttributeProto attribute(String name, long value) {
    return AttributeProto.newBuilder()
        .setName(name)
        .setType(AttributeProto.AttributeType.INT)
        .setI(value)
        .build();
  }

  /** Several numbers. */
  public static AttributeProto attribute(String name, long[] values) {
    AttributeProto.Builder attribute =
        AttributeProto.newBuilder().setName(name).setType(AttributeProto.AttributeType.INTS);
    for (long value : values) {
      attribute.addInts(value);
    }
    return attribute.build();
  }

  /** A number of floating point. */
  public static AttributeProto attribute(String name, float value) {
    return AttributeProto.newBuilder()
        .setName(name)
        .setType(AttributeProto.AttributeType.FLOAT)
        .setF(value)
        .build();
  }

  /**
   * An input or an output.
   *
   * @param dims extents: a {@link Long}, or the name of one that is not known
   */
  public static ValueInfoProto value(String name, int elements, List<Object> dims) {
    TypeProto.Tensor.Builder tensor =
        TypeProto.Tensor.newBuilder().setElemType(elements).setShape(shape(dims));
    return ValueInfoProto.newBuilder()
        .setName(name)
        .setType(TypeProto.newBuilder().setTensorType(tensor))
        .build();
  }

  private static TensorShapeProto shape(List<Object> dims) {
    TensorShapeProto.Builder shape = TensorShapeProto.newBuilder();
    for (Object dim : dims) {
      TensorShapeProto.Dimension.Builder extent = TensorShapeProto.Dimension.newBuilder();
      shape.addDim(
          dim instanceof String name ? extent.setDimParam(name) : extent.setDimValue((Long) dim));
    }
    return shape.build();
  }
}
