package org.relaxvm.backendtestkit.library;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;

/** Makes random arguments of kernels that slice, repeat, reverse and pad elements. */
final class LayoutCases {
  private final RandomTensors tensors;

  LayoutCases(RandomTensors tensors) {
    this.tensors = tensors;
  }

  @Nullable Object[] make(String name, DType dtype) {
    int rank = tensors.upTo(3) + (name.startsWith("tri") ? 2 : name.equals("flip") ? 1 : 0);
    Tensor x = tensors.values(dtype, tensors.shape(rank, 12));
    return switch (name) {
      case "strided_slice" -> slice(dtype, x);
      case "tile" -> tile(dtype, x);
      case "repeat" -> repeat(dtype, x);
      case "pad" -> pad(dtype, x);
      case "flip" -> {
        long axis = tensors.upTo(rank - 1) - (tensors.flip() ? (long) rank : 0);
        yield new Object[] {x, axis, tensors.values(dtype, x.shape())};
      }
      default -> new Object[] {x, tensors.upTo(16) - 8L, tensors.values(dtype, x.shape())};
    };
  }

  private @Nullable Object[] slice(DType dtype, Tensor x) {
    int rank = x.shape().rank();
    int[] order = tensors.permutation(rank);
    int count = tensors.upTo(rank);
    boolean plain = tensors.flip();
    long[] axes = new long[count];
    long[] begin = new long[count];
    long[] end = new long[count];
    long[] strides = new long[count];
    long[] dims = x.shape().toArray();
    for (int i = 0; i < count; i++) {
      int axis = order[i];
      long extent = dims[axis];
      axes[i] = axis - (tensors.flip() ? (long) rank : 0);
      begin[i] = tensors.upTo(30) - 15L;
      end[i] = tensors.oneOf(List.of(tensors.upTo(30) - 15L, Long.MAX_VALUE, Long.MIN_VALUE));
      strides[i] = plain ? 1 : tensors.oneOf(List.of(1L, 2L, 3L, -1L, -2L, -5L));
      dims[axis] = 0;
      for (long at = position(begin[i], extent, strides[i]);
          strides[i] > 0
              ? at < position(end[i], extent, strides[i])
              : at > position(end[i], extent, strides[i]);
          at += strides[i]) {
        dims[axis]++;
      }
    }
    return new Object[] {
      x,
      Shape.of(axes),
      Shape.of(begin),
      Shape.of(end),
      plain ? null : Shape.of(strides),
      tensors.values(dtype, Shape.of(dims))
    };
  }

  private static long position(long given, long extent, long step) {
    long position = given < 0 ? given + extent : given;
    return step > 0 ? Math.clamp(position, 0, extent) : Math.clamp(position, -1, extent - 1);
  }

  private @Nullable Object[] tile(DType dtype, Tensor x) {
    long[] repeats = new long[tensors.upTo(4)];
    long[] own = x.shape().toArray();
    long[] dims = new long[Math.max(repeats.length, own.length)];
    Arrays.fill(dims, 1);
    System.arraycopy(own, 0, dims, dims.length - own.length, own.length);
    for (int i = 0; i < repeats.length; i++) {
      repeats[i] = tensors.upTo(3);
      dims[dims.length - repeats.length + i] *= repeats[i];
    }
    return new Object[] {x, Shape.of(repeats), tensors.values(dtype, Shape.of(dims))};
  }

  private @Nullable Object[] repeat(DType dtype, Tensor x) {
    long repeats = tensors.upTo(3);
    int rank = x.shape().rank();
    if (rank == 0 || tensors.upTo(2) == 0) {
      Shape out = Shape.of(x.elementCount() * repeats);
      return new Object[] {x, repeats, null, tensors.values(dtype, out)};
    }
    int axis = tensors.upTo(rank - 1);
    long[] dims = x.shape().toArray();
    dims[axis] *= repeats;
    long given = axis - (tensors.flip() ? (long) rank : 0);
    return new Object[] {x, repeats, given, tensors.values(dtype, Shape.of(dims))};
  }

  private @Nullable Object[] pad(DType dtype, Tensor x) {
    String mode = tensors.oneOf(List.of("constant", "reflect", "replicate", "circular"));
    long[] dims = x.shape().toArray();
    long[] width = new long[2 * dims.length];
    for (int i = 0; i < width.length; i++) {
      long extent = x.shape().dim(i / 2);
      long most = mode.equals("reflect") ? extent - 1 : extent;
      boolean bounded = !mode.equals("constant");
      width[i] = Math.max(0, Math.min(tensors.upTo(3), bounded ? most : 3));
      dims[i / 2] += width[i];
    }
    return new Object[] {
      x,
      Shape.of(width),
      mode,
      tensors.flip() ? (Object) 2.75 : (Object) 3L,
      tensors.values(dtype, Shape.of(dims))
    };
  }
}
