package org.relaxvm.backendtestkit.library;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.kernels.DTypeSet;
import org.relaxvm.api.kernels.KernelSignature;

/** Makes random arguments for each kernel of the table. */
public final class KernelCases {
  private final RandomTensors tensors;

  /** Cases of random shapes and values. */
  public KernelCases(RandomTensors tensors) {
    this.tensors = tensors;
  }

  /** Arguments of a call that a kernel accepts, or refuses for having nothing to reduce. */
  public @Nullable Object[] make(KernelSignature signature, DType dtype) {
    String name = signature.name().substring("relaxvm.".length());
    return switch (name) {
      case "matmul" -> matmul(dtype);
      case "matmul_residual" -> withResidual(matmul(dtype), dtype);
      case "matmul_integer" -> matmulInteger(dtype);
      case "conv2d" -> conv2d(dtype);
      case "conv2d_residual" -> withResidual(conv2d(dtype), dtype);
      case "conv2d_transpose" -> conv2dTranspose(dtype);
      case "max_pool2d", "avg_pool2d" -> pool(dtype, name.startsWith("avg"));
      case "softmax", "log_softmax" -> softmax(dtype);
      case "layer_norm", "rms_norm", "group_norm", "batch_norm" ->
          new NormalizationCases(tensors).make(name, dtype);
      case "attention" -> attention(dtype);
      case "where" -> where(dtype);
      case "cast" -> source(dtype, tensors.oneOf(RandomTensors.ALL));
      case "sum", "mean", "max", "min" -> reduction(dtype, tensors.upTo(4));
      // Products of few elements, which no dtype overflows on the way.
      case "prod" -> reduction(dtype, tensors.upTo(2));
      case "reshape" -> reshape(dtype);
      case "permute_dims" -> permute(dtype);
      case "concat" -> concat(dtype);
      case "strided_slice", "tile", "repeat", "flip", "pad", "tril", "triu" ->
          new LayoutCases(tensors).make(name, dtype);
      case "take", "gather_elements", "gather_nd", "scatter_elements", "scatter_nd", "one_hot" ->
          new IndexingCases(tensors).make(name, dtype);
      case "sort", "argsort", "topk", "topk_indices", "argmax", "argmin", "cumsum", "cumprod" ->
          new OrderingCases(tensors).make(name, dtype);
      case "full" ->
          new Object[] {tensors.flip() ? (Object) 2.75 : (Object) 3L, values(dtype, shape())};
      case "arange" ->
          new Object[] {
            tensors.flip() ? (Object) 0.5 : (Object) 3L,
            2L,
            values(dtype, Shape.of(tensors.upTo(20)))
          };
      case "isnan", "isinf", "isfinite" -> source(dtype, DType.BOOL);
      case "clip" -> withNumbers(source(dtype, dtype), -1L, 2.25);
      case "leaky_relu" -> withNumbers(source(dtype, dtype), 0.125);
      case "softplus" -> withNumbers(source(dtype, dtype), 2L, 3.5);
      default ->
          signature.arguments().size() == 2
              ? source(dtype, dtype)
              : binary(dtype, signature.arguments().get(2).dtypes() == DTypeSet.BOOL);
    };
  }

  private Tensor values(DType dtype, Shape shape) {
    return tensors.values(dtype, shape);
  }

  private Shape shape() {
    return tensors.shape(tensors.upTo(4), 5);
  }

  private @Nullable Object[] source(DType from, DType to) {
    Shape shape = shape();
    return new Object[] {values(from, tensors.broadcastable(shape)), values(to, shape)};
  }

  /** Numbers between input and output. */
  private static @Nullable Object[] withNumbers(@Nullable Object[] tensors, Object... numbers) {
    @Nullable Object[] args = Arrays.copyOf(tensors, numbers.length + 2);
    System.arraycopy(numbers, 0, args, 1, numbers.length);
    args[args.length - 1] = tensors[1];
    return args;
  }

  private @Nullable Object[] binary(DType dtype, boolean truth) {
    Shape shape = shape();
    Tensor whole = values(dtype, shape);
    Tensor part = values(dtype, tensors.broadcastable(shape));
    Tensor out = values(truth ? DType.BOOL : dtype, shape);
    return tensors.flip() ? new Object[] {whole, part, out} : new Object[] {part, whole, out};
  }

  private @Nullable Object[] where(DType dtype) {
    Shape shape = shape();
    return new Object[] {
      values(DType.BOOL, tensors.broadcastable(shape)),
      values(dtype, shape),
      values(dtype, tensors.broadcastable(shape)),
      values(dtype, shape)
    };
  }

  private @Nullable Object[] softmax(DType dtype) {
    Shape shape = tensors.withLine(tensors.shape(1 + tensors.upTo(3), 6));
    long axis = tensors.upTo(shape.rank() - 1) - (tensors.flip() ? (long) shape.rank() : 0);
    return new Object[] {values(dtype, shape), axis, values(dtype, shape)};
  }

  private @Nullable Object[] attention(DType dtype) {
    long batch = tensors.upTo(2);
    long keyHeads = 1L + tensors.upTo(1);
    long heads = keyHeads * (1L + tensors.upTo(2));
    long queries = tensors.upTo(6);
    boolean manyKeys = tensors.upTo(3) == 0;
    long keys = manyKeys ? 120 + tensors.upTo(20) : tensors.upTo(18);
    long depth = manyKeys ? 1 + tensors.upTo(1) : tensors.lineLength() / 2;
    long values = manyKeys ? 1 + tensors.upTo(1) : tensors.lineLength() / 2;
    Shape scores = Shape.of(batch, heads, queries, keys);
    return new Object[] {
      values(dtype, Shape.of(batch, queries, heads, depth)),
      values(dtype, Shape.of(batch, keys, keyHeads, depth)),
      values(dtype, Shape.of(batch, keys, keyHeads, values)),
      tensors.flip() ? values(dtype, tensors.broadcastable(scores)) : null,
      tensors.oneOf(Arrays.asList(null, 0.125, 1L)),
      tensors.oneOf(List.of("none", "TopLeft", "BottomRight")),
      values(dtype, Shape.of(batch, queries, heads, values))
    };
  }

  private @Nullable Object[] reduction(DType dtype, int rank) {
    Shape shape = tensors.shape(rank, 4);
    boolean all = tensors.upTo(3) == 0;
    boolean keep = tensors.flip();
    int[] order = tensors.permutation(rank);
    int count = all ? rank : tensors.upTo(rank);
    long[] axes = new long[count];
    boolean[] reduced = new boolean[rank];
    for (int i = 0; i < count; i++) {
      reduced[order[i]] = true;
      axes[i] = order[i] - (tensors.flip() ? (long) rank : 0);
    }
    long[] dims = new long[rank];
    int left = 0;
    for (int axis = 0; axis < rank; axis++) {
      if (keep || !reduced[axis]) {
        dims[left++] = reduced[axis] ? 1 : shape.dim(axis);
      }
    }
    return new Object[] {
      values(dtype, shape),
      all ? null : Shape.of(axes),
      keep,
      values(dtype, Shape.of(Arrays.copyOf(dims, left)))
    };
  }

  private @Nullable Object[] reshape(DType dtype) {
    long a = tensors.upTo(4);
    long b = 1L + tensors.upTo(3);
    long c = 1L + tensors.upTo(3);
    List<Shape> shapes =
        List.of(Shape.of(a, b, c), Shape.of(c, a * b), Shape.of(a * b * c), Shape.of(b, 1, c * a));
    return new Object[] {
      values(dtype, tensors.oneOf(shapes)), values(dtype, tensors.oneOf(shapes))
    };
  }

  private @Nullable Object[] permute(DType dtype) {
    int rank = tensors.upTo(4);
    Shape shape = tensors.shape(rank, 5);
    boolean reverse = tensors.upTo(3) == 0;
    int[] order = tensors.permutation(rank);
    long[] axes = new long[rank];
    long[] dims = new long[rank];
    for (int i = 0; i < rank; i++) {
      int axis = reverse ? rank - 1 - i : order[i];
      axes[i] = axis - (tensors.flip() ? (long) rank : 0);
      dims[i] = shape.dim(axis);
    }
    return new Object[] {
      values(dtype, shape), reverse ? null : Shape.of(axes), values(dtype, Shape.of(dims))
    };
  }

  private @Nullable Object[] concat(DType dtype) {
    Shape shape = tensors.shape(1 + tensors.upTo(3), 4);
    int axis = tensors.upTo(shape.rank() - 1);
    Object[] parts = new Object[1 + tensors.upTo(2)];
    long[] dims = shape.toArray();
    long sum = 0;
    for (int i = 0; i < parts.length; i++) {
      dims[axis] = tensors.upTo(3);
      sum += dims[axis];
      parts[i] = values(dtype, Shape.of(dims));
    }
    dims[axis] = sum;
    long given = axis - (tensors.flip() ? (long) shape.rank() : 0);
    return new Object[] {Tuple.of(parts), given, values(dtype, Shape.of(dims))};
  }

  private @Nullable Object[] matmul(DType dtype) {
    if (tensors.upTo(3) > 0) {
      return matmul(dtype, 1L + tensors.upTo(5), tensors.upTo(5), 1L + tensors.upTo(5));
    }
    return matmul(dtype, aroundMultiple(), aroundMultiple(), aroundMultiple());
  }

  /** An extent about a multiple of what fast code computes at once. */
  private long aroundMultiple() {
    return tensors.oneOf(List.of(4L, 6L, 8L, 12L, 16L, 24L, 32L, 48L, 64L)) + tensors.upTo(2) - 1;
  }

  private @Nullable Object[] matmulInteger(DType dtype) {
    @Nullable Object[] plain = matmul(dtype);
    DType other = tensors.oneOf(List.of(DType.INT8, DType.UINT8));
    return new Object[] {
      plain[0],
      values(other, ((Tensor) Objects.requireNonNull(plain[1])).shape()),
      plain[3],
      plain[4],
      values(DType.INT32, ((Tensor) Objects.requireNonNull(plain[6])).shape())
    };
  }

  private @Nullable Object[] matmul(DType dtype, long m, long k, long n) {
    Shape batch = tensors.shape(tensors.upTo(2), 3);
    boolean swapA = tensors.flip();
    boolean swapB = tensors.flip();
    Shape whole = matrix(batch, swapA ? k : m, swapA ? m : k);
    Shape part = matrix(tensors.broadcastable(batch), swapB ? n : k, swapB ? k : n);
    Shape out = matrix(batch, m, n);
    return new Object[] {
      values(dtype, whole),
      values(dtype, part),
      tensors.flip() ? values(dtype, tensors.broadcastable(out)) : null,
      swapA,
      swapB,
      activation(dtype),
      values(dtype, out)
    };
  }

  /** A tensor like the output after the bias. */
  private @Nullable Object[] withResidual(@Nullable Object[] plain, DType dtype) {
    List<@Nullable Object> args = new ArrayList<>(Arrays.asList(plain));
    Tensor out = (Tensor) Objects.requireNonNull(args.getLast());
    args.add(3, values(dtype, out.shape()));
    return args.toArray();
  }

  private static Shape matrix(Shape batch, long rows, long columns) {
    long[] dims = Arrays.copyOf(batch.toArray(), batch.rank() + 2);
    dims[batch.rank()] = rows;
    dims[batch.rank() + 1] = columns;
    return Shape.of(dims);
  }

  private String activation(DType dtype) {
    return tensors.oneOf(
        dtype.isFloat()
            ? List.of("none", "relu", "gelu", "silu", "sigmoid", "tanh")
            : List.of("none", "relu"));
  }

  private @Nullable Object[] conv2d(DType dtype) {
    long groups = 1L + tensors.upTo(2);
    long channels = groups * (1L + tensors.upTo(1));
    long outputs = groups * (1L + tensors.upTo(1));
    long[] image = {2L + tensors.upTo(5), 2L + tensors.upTo(5)};
    long[] size = {1L + tensors.upTo(2), 1L + tensors.upTo(2)};
    Sliding sliding = new Sliding(tensors, image, size, false);
    long batch = tensors.upTo(2);
    return new Object[] {
      values(dtype, Shape.of(batch, channels, image[0], image[1])),
      values(dtype, Shape.of(outputs, channels / groups, size[0], size[1])),
      tensors.flip() ? values(dtype, Shape.of(outputs)) : null,
      Shape.of(sliding.strides),
      Shape.of(sliding.padding),
      Shape.of(sliding.dilation),
      groups,
      activation(dtype),
      values(dtype, Shape.of(batch, outputs, sliding.extent(0), sliding.extent(1)))
    };
  }

  private @Nullable Object[] conv2dTranspose(DType dtype) {
    long groups = 1L + tensors.upTo(1);
    long channels = groups * (1L + tensors.upTo(1));
    long perGroup = 1L + tensors.upTo(2);
    long batch = tensors.upTo(2);
    long[] image = {1L + tensors.upTo(4), 1L + tensors.upTo(4)};
    long[] size = {1L + tensors.upTo(3), 1L + tensors.upTo(3)};
    long[] strides = {1L + tensors.upTo(2), 1L + tensors.upTo(2)};
    long[] dilation = {1L + tensors.upTo(1), 1L + tensors.upTo(1)};
    long[] more = {strides[0] == 1 ? 0 : 1, 0};
    long[] padding = {tensors.upTo(2), tensors.upTo(2), tensors.upTo(2), tensors.upTo(2)};
    long[] extents = new long[2];
    for (int i = 0; i < 2; i++) {
      long whole = (image[i] - 1) * strides[i] + dilation[i] * (size[i] - 1) + more[i] + 1;
      extents[i] = Math.max(0, whole - padding[i] - padding[i + 2]);
    }
    return new Object[] {
      values(dtype, Shape.of(batch, channels, image[0], image[1])),
      values(dtype, Shape.of(channels, perGroup, size[0], size[1])),
      tensors.flip() ? values(dtype, Shape.of(groups * perGroup)) : null,
      Shape.of(strides),
      Shape.of(padding),
      Shape.of(more),
      Shape.of(dilation),
      groups,
      activation(dtype),
      values(dtype, Shape.of(batch, groups * perGroup, extents[0], extents[1]))
    };
  }

  private @Nullable Object[] pool(DType dtype, boolean average) {
    long[] image = {1L + tensors.upTo(7), 1L + tensors.upTo(7)};
    long[] size = {1L + tensors.upTo(2), 1L + tensors.upTo(2)};
    Sliding sliding = new Sliding(tensors, image, size, tensors.flip());
    long batch = tensors.upTo(2);
    Tensor x = values(dtype, Shape.of(batch, 2, image[0], image[1]));
    Tensor out = values(dtype, Shape.of(batch, 2, sliding.extent(0), sliding.extent(1)));
    Shape strides = Shape.of(sliding.strides);
    Shape padding = Shape.of(sliding.padding);
    Shape dilation = Shape.of(sliding.dilation);
    return average
        ? new Object[] {
          x, Shape.of(size), strides, padding, dilation, sliding.ceil, tensors.flip(), out
        }
        : new Object[] {x, Shape.of(size), strides, padding, dilation, sliding.ceil, out};
  }
}
