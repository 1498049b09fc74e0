package org.relaxvm.backendtestkit.library;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;

/** Makes random arguments of kernels that compare or add up elements along a line. */
final class OrderingCases {
  private final RandomTensors tensors;

  OrderingCases(RandomTensors tensors) {
    this.tensors = tensors;
  }

  @Nullable Object[] make(String name, DType dtype) {
    return switch (name) {
      case "sort" -> sort(dtype, dtype);
      case "argsort" -> sort(dtype, indexType());
      case "topk" -> topk(dtype, dtype);
      case "topk_indices" -> topk(dtype, indexType());
      case "argmax", "argmin" -> extreme(dtype);
      default -> scan(dtype);
    };
  }

  private @Nullable Object[] sort(DType dtype, DType out) {
    Shape shape = shape();
    return new Object[] {
      tensors.values(dtype, shape),
      axis(tensors.upTo(shape.rank() - 1), shape),
      tensors.flip(),
      tensors.values(out, shape)
    };
  }

  private @Nullable Object[] topk(DType dtype, DType out) {
    Shape shape = shape();
    int axis = tensors.upTo(shape.rank() - 1);
    long[] dims = shape.toArray();
    dims[axis] = tensors.upTo((int) dims[axis]) / (tensors.flip() ? 8 : 1);
    return new Object[] {
      tensors.values(dtype, shape),
      axis(axis, shape),
      tensors.flip(),
      tensors.values(out, Shape.of(dims))
    };
  }

  private @Nullable Object[] extreme(DType dtype) {
    Shape shape = tensors.shape(tensors.upTo(3), 5);
    boolean keep = tensors.flip();
    boolean all = shape.rank() == 0 || tensors.upTo(2) == 0;
    int axis = all ? -1 : tensors.upTo(shape.rank() - 1);
    long[] dims = new long[shape.rank()];
    int left = 0;
    for (int i = 0; i < dims.length; i++) {
      boolean gone = all || i == axis;
      if (keep || !gone) {
        dims[left++] = gone ? 1 : shape.dim(i);
      }
    }
    Shape out = Shape.of(Arrays.copyOf(dims, left));
    return new Object[] {
      tensors.values(dtype, shape),
      all ? null : axis(axis, shape),
      keep,
      tensors.values(indexType(), out)
    };
  }

  private @Nullable Object[] scan(DType dtype) {
    Shape shape = tensors.shape(tensors.upTo(2), 3);
    boolean flat = shape.rank() == 0 || tensors.upTo(2) == 0;
    Tensor x = tensors.values(dtype, shape);
    return new Object[] {
      x,
      flat ? null : axis(tensors.upTo(shape.rank() - 1), shape),
      tensors.flip(),
      tensors.values(dtype, flat ? Shape.of(x.elementCount()) : shape)
    };
  }

  private Shape shape() {
    Shape shape = tensors.shape(1 + tensors.upTo(2), 5);
    return tensors.upTo(3) > 0 ? shape : Shape.of(tensors.upTo(70));
  }

  private Object axis(int axis, Shape shape) {
    return axis - (tensors.flip() ? (long) shape.rank() : 0);
  }

  private DType indexType() {
    return tensors.flip() ? DType.INT32 : DType.INT64;
  }
}
