package org.relaxvm.interoponnx.convert;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.interoponnx.data.TensorData;
import org.relaxvm.interoponnx.proto.SparseTensorProto;

/** Sparse tensors as dense ones. */
final class SparseTensors {
  private SparseTensors() {}

  static Tensor dense(SparseTensorProto sparse, ModelContext model, String where) {
    Tensor values = model.data.tensor(sparse.values(), where);
    Tensor positions = model.data.tensor(sparse.indices(), where + ", indices");
    if (!positions.dtype().equals(DType.INT64)) {
      throw malformed(where, "indices of " + positions.dtype() + "; expected int64");
    }
    long[] indices = positions.toLongArray();
    long[] dims = sparse.dims().stream().mapToLong(Long::longValue).toArray();
    model.checkRank(dims.length);
    Shape shape = TensorData.shape(dims, where);
    if (!values.dtype().isByteAligned()) {
      throw malformed(where, "values of " + values.dtype() + "; expected 8 bits or more");
    }
    int width = values.dtype().elementByteSize();
    byte[] bytes = new byte[model.reserve(shape.elementCount(), width) * width];
    long count = values.elementCount();
    boolean isLinear = indices.length == count;
    if (!isLinear && indices.length != count * dims.length) {
      throw malformed(where, indices.length + " indices for " + count + " values");
    }
    MemorySegment from = values.segment();
    MemorySegment to = MemorySegment.ofArray(bytes);
    for (int i = 0; i < count; i++) {
      long position =
          isLinear
              ? checked(indices[i], shape.elementCount(), where)
              : position(
                  Arrays.copyOfRange(indices, i * dims.length, (i + 1) * dims.length), dims, where);
      MemorySegment.copy(from, (long) i * width, to, position * width, width);
    }
    return Tensor.of(bytes, values.dtype(), shape);
  }

  private static long position(long[] index, long[] dims, String where) {
    long position = 0;
    for (int axis = 0; axis < dims.length; axis++) {
      position = position * dims[axis] + checked(index[axis], dims[axis], where);
    }
    return position;
  }

  private static long checked(long index, long extent, String where) {
    if (index < 0 || index >= extent) {
      throw malformed(where, "the index " + index + " of an extent of " + extent);
    }
    return index;
  }

  private static MalformedFileException malformed(String where, String got) {
    return new MalformedFileException(
        ErrorKind.VALUE, "malformed ONNX model: " + where + " has " + got);
  }
}
