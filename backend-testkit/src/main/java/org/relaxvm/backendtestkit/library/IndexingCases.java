package org.relaxvm.backendtestkit.library;

import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.kernels.DTypeSet;

/** Makes random arguments of kernels that find elements by indices, all of which are in range. */
final class IndexingCases {
  private final RandomTensors tensors;

  IndexingCases(RandomTensors tensors) {
    this.tensors = tensors;
  }

  @Nullable Object[] make(String name, DType dtype) {
    return switch (name) {
      case "take" -> take(dtype);
      case "gather_elements" -> elements(dtype, false);
      case "scatter_elements" -> elements(dtype, true);
      case "gather_nd" -> gatherNd(dtype);
      case "scatter_nd" -> scatterNd(dtype);
      default -> oneHot(dtype);
    };
  }

  private @Nullable Object[] take(DType dtype) {
    Shape x = tensors.shape(1 + tensors.upTo(2), 6);
    int axis = tensors.upTo(x.rank() - 1);
    long extent = x.dim(axis);
    String mode =
        tensors.oneOf(
            dtype.isFloat()
                ? List.of("fast", "wrap", "clip", "nan")
                : List.of("fast", "wrap", "clip"));
    Shape shape = extent == 0 ? Shape.of(0) : tensors.shape(tensors.upTo(2), 5);
    long[] dims = x.toArray();
    long[] out =
        joined(
            Arrays.copyOf(dims, axis),
            shape.toArray(),
            Arrays.copyOfRange(dims, axis + 1, dims.length));
    Tensor indices =
        mode.equals("fast")
            ? indices(shape, extent)
            : tensors.filled(indexType(), shape, at -> tensors.upTo(20) - 10L);
    return new Object[] {
      tensors.values(dtype, x),
      indices,
      axis - (tensors.flip() ? (long) x.rank() : 0),
      mode,
      tensors.values(dtype, Shape.of(out))
    };
  }

  private @Nullable Object[] elements(DType dtype, boolean scatter) {
    Shape x = tensors.shape(1 + tensors.upTo(2), 5);
    int axis = tensors.upTo(x.rank() - 1);
    long[] dims = new long[x.rank()];
    Arrays.setAll(dims, i -> tensors.upTo((int) x.dim(i)));
    dims[axis] = x.dim(axis) == 0 ? 0 : tensors.upTo(6);
    Shape shape = Shape.of(dims);
    Tensor data = tensors.values(dtype, x);
    Tensor indices = indices(shape, x.dim(axis));
    long given = axis - (tensors.flip() ? (long) x.rank() : 0);
    return scatter
        ? new Object[] {
          data,
          indices,
          tensors.values(dtype, shape),
          given,
          reduction(dtype),
          tensors.values(dtype, x)
        }
        : new Object[] {data, indices, given, tensors.values(dtype, shape)};
  }

  private @Nullable Object[] gatherNd(DType dtype) {
    Shape x = tensors.shape(tensors.upTo(4), 4);
    int batch = tensors.upTo(Math.min(2, x.rank()));
    int length = tensors.upTo(x.rank() - batch);
    long[] dims = x.toArray();
    long[] lines = joined(Arrays.copyOf(dims, batch), lines(dims, batch, length));
    long[] tail = Arrays.copyOfRange(dims, batch + length, dims.length);
    return new Object[] {
      tensors.values(dtype, x),
      lineIndices(lines, dims, batch, length),
      batch,
      tensors.values(dtype, Shape.of(joined(lines, tail)))
    };
  }

  private @Nullable Object[] scatterNd(DType dtype) {
    Shape x = tensors.shape(tensors.upTo(3), 4);
    int length = tensors.upTo(x.rank());
    long[] dims = x.toArray();
    long[] lines = lines(dims, 0, length);
    long[] tail = Arrays.copyOfRange(dims, length, dims.length);
    return new Object[] {
      tensors.values(dtype, x),
      lineIndices(lines, dims, 0, length),
      tensors.values(dtype, Shape.of(joined(lines, tail))),
      reduction(dtype),
      tensors.values(dtype, x)
    };
  }

  /** A shape of lines of indices; of none where nothing can be named. */
  private long[] lines(long[] dims, int batch, int length) {
    for (int axis = batch; axis < batch + length; axis++) {
      if (dims[axis] == 0) {
        return new long[] {0};
      }
    }
    return tensors.shape(tensors.upTo(2), 4).toArray();
  }

  private Tensor lineIndices(long[] lines, long[] dims, int batch, int length) {
    Shape shape = Shape.of(joined(lines, new long[] {length}));
    return tensors.filled(
        indexType(), shape, at -> index(dims[batch + (int) at[shape.rank() - 1]]));
  }

  private @Nullable Object[] oneHot(DType indexType) {
    Shape shape = tensors.shape(tensors.upTo(3), 4);
    int axis = tensors.upTo(shape.rank());
    long[] dims = shape.toArray();
    long[] out =
        joined(
            Arrays.copyOf(dims, axis),
            new long[] {tensors.upTo(6)},
            Arrays.copyOfRange(dims, axis, dims.length));
    return new Object[] {
      tensors.filled(indexType, shape, at -> tensors.upTo(10) - 2L),
      tensors.flip() ? (Object) 2.75 : (Object) 3L,
      0L,
      axis - (tensors.flip() ? shape.rank() + 1L : 0),
      tensors.values(tensors.oneOf(RandomTensors.membersOf(DTypeSet.ALL)), Shape.of(out))
    };
  }

  private String reduction(DType dtype) {
    return dtype.equals(DType.BOOL)
        ? "update"
        : tensors.oneOf(List.of("update", "add", "mul", "mean", "max", "min"));
  }

  private Tensor indices(Shape shape, long extent) {
    return tensors.filled(indexType(), shape, at -> index(extent));
  }

  private long index(long extent) {
    return tensors.upTo((int) extent - 1) - (tensors.upTo(3) == 0 ? extent : 0);
  }

  private DType indexType() {
    return tensors.flip() ? DType.INT32 : DType.INT64;
  }

  private static long[] joined(long[]... parts) {
    return Arrays.stream(parts).flatMapToLong(LongStream::of).toArray();
  }
}
