package org.relaxvm.backendtestkit.library;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.kernels.DTypeSet;
import org.relaxvm.backendtestkit.definition.Definition;
import org.relaxvm.backendtestkit.definition.ElementBits;
import org.relaxvm.backendtestkit.definition.MemoryOperand;

/** Makes host tensors with random values, and with axes in any order, gaps and backward strides. */
public final class RandomTensors {
  static final List<DType> ALL =
      List.of(
          DType.FLOAT32,
          DType.FLOAT64,
          DType.FLOAT16,
          DType.BFLOAT16,
          DType.INT8,
          DType.INT16,
          DType.INT32,
          DType.INT64,
          DType.UINT8,
          DType.UINT16,
          DType.UINT32,
          DType.UINT64,
          DType.BOOL,
          DType.FLOAT8_E4M3FN,
          DType.FLOAT8_E5M2);

  private static final List<Integer> LINES = List.of(0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 33, 67);

  private final Random random;
  private final boolean withStrides;

  /**
   * A source of tensors.
   *
   * @param withStrides whether tensors may have strides
   */
  public RandomTensors(Random random, boolean withStrides) {
    this.random = random;
    this.withStrides = withStrides;
  }

  /** The dtypes of a set. */
  public static List<DType> membersOf(DTypeSet set) {
    return ALL.stream().filter(set::contains).toList();
  }

  int upTo(int most) {
    return random.nextInt(most + 1);
  }

  boolean flip() {
    return random.nextBoolean();
  }

  <T> T oneOf(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }

  Shape shape(int rank, int largest) {
    long[] dims = new long[rank];
    for (int i = 0; i < rank; i++) {
      dims[i] = random.nextInt(12) == 0 ? random.nextInt(2) : 1 + random.nextInt(largest);
    }
    return Shape.of(dims);
  }

  /** An extent: none, one, or about that of a few vectors. */
  int lineLength() {
    return oneOf(LINES);
  }

  /** The shape, or one whose last axis is as long as some vectors. */
  Shape withLine(Shape shape) {
    long[] dims = shape.toArray();
    if (dims.length > 0 && flip()) {
      dims[dims.length - 1] = lineLength();
    }
    return Shape.of(dims);
  }

  /** A shape that broadcasts to the given one: some axes are 1, leading ones may be missing. */
  Shape broadcastable(Shape target) {
    int missing = random.nextInt(3) == 0 ? random.nextInt(target.rank() + 1) : 0;
    long[] dims = new long[target.rank() - missing];
    for (int i = 0; i < dims.length; i++) {
      dims[i] = random.nextInt(4) == 0 ? 1 : target.dim(missing + i);
    }
    return Shape.of(dims);
  }

  /** Small values that all dtypes represent: quarters for floats; not negative for unsigned. */
  Tensor values(DType dtype, Shape shape) {
    return filled(dtype, shape, index -> value(dtype));
  }

  /** Given elements, with random strides. */
  Tensor filled(DType dtype, Shape shape, Definition.ElementFunction elements) {
    Tensor compact = Tensor.zeros(dtype, shape);
    MemoryOperand.of(compact).setAll(elements);
    return withStrides && random.nextInt(3) > 0 ? strided(compact) : compact;
  }

  private long value(DType dtype) {
    if (dtype.isFloat()) {
      return ElementBits.ofDouble((random.nextInt(33) - 16) / 4.0);
    }
    long value = random.nextInt(17) - 8L;
    return dtype.equals(DType.BOOL)
        ? value & 1
        : ElementBits.isUnsigned(dtype) ? Math.abs(value) : value;
  }

  private Tensor strided(Tensor compact) {
    Shape shape = compact.shape();
    long[] strides = new long[shape.rank()];
    long step = 1;
    long first = random.nextInt(3);
    for (int axis : permutation(shape.rank())) {
      long gap = 1L + random.nextInt(2);
      boolean backwards = random.nextInt(4) == 0;
      strides[axis] = backwards ? -step * gap : step * gap;
      first += backwards ? step * gap * Math.max(0, shape.dim(axis) - 1) : 0;
      step *= gap * Math.max(1, shape.dim(axis));
    }
    Tensor block = Tensor.zeros(compact.dtype(), Shape.of(first + step));
    Tensor view = block.stridedView(shape, strides, first);
    compact.copyInto(view);
    return view;
  }

  int[] permutation(int rank) {
    List<Integer> axes = new ArrayList<>();
    for (int axis = 0; axis < rank; axis++) {
      axes.add(random.nextInt(axis + 1), axis);
    }
    return axes.stream().mapToInt(Integer::intValue).toArray();
  }
}
