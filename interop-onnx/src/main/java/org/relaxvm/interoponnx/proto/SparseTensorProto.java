package org.relaxvm.interoponnx.proto;

import java.util.List;
import java.util.stream.LongStream;

/**
 * A sparse tensor in coordinate form. Immutable.
 *
 * @param values of {@code n} elements; its name is that of the sparse tensor
 * @param indices of shape {@code [n]}, positions in row-major order, or {@code [n, rank]}
 * @param dims of the dense tensor
 */
public record SparseTensorProto(TensorProto values, TensorProto indices, List<Long> dims) {

  static SparseTensorProto of(WireMessage tensor) {
    WireMessage values = tensor.message(1);
    WireMessage indices = tensor.message(2);
    return new SparseTensorProto(
        new TensorProto(values == null ? WireMessage.EMPTY : values),
        new TensorProto(indices == null ? WireMessage.EMPTY : indices),
        LongStream.of(tensor.integers(3)).boxed().toList());
  }
}
