package org.relaxvm.backendcpu.kernel;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Random;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;

/** Makes tensors with random values, and with axes in any order, gaps and backward strides. */
final class RandomTensors {
  static final List<DType> FLOATS =
      List.of(DType.FLOAT32, DType.FLOAT64, DType.FLOAT16, DType.BFLOAT16);
  static final List<DType> INTEGERS =
      List.of(
          DType.INT8,
          DType.INT16,
          DType.INT32,
          DType.INT64,
          DType.UINT8,
          DType.UINT16,
          DType.UINT32,
          DType.UINT64);

  private final Random random;

  RandomTensors(Random random) {
    this.random = random;
  }

  DType oneOf(List<DType> dtypes) {
    return dtypes.get(random.nextInt(dtypes.size()));
  }

  Shape shape(int rank, int largest) {
    long[] dims = new long[rank];
    for (int i = 0; i < rank; i++) {
      dims[i] = random.nextInt(12) == 0 ? random.nextInt(2) : 1 + random.nextInt(largest);
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
    double[] values = new double[(int) shape.elementCount()];
    for (int i = 0; i < values.length; i++) {
      values[i] = dtype.isFloat() ? (random.nextInt(33) - 16) / 4.0 : random.nextInt(17) - 8;
      if (dtype.toString().startsWith("uint")) {
        values[i] = Math.abs(values[i]);
      }
      if (dtype.equals(DType.BOOL)) {
        values[i] = random.nextInt(2);
      }
    }
    return strided(of(dtype, shape, values));
  }

  /** An output in which nothing is right yet. */
  Tensor output(DType dtype, Shape shape) {
    return values(dtype, shape);
  }

  static Tensor of(DType dtype, Shape shape, double... values) {
    Tensor tensor = Tensor.zeros(dtype, shape);
    MemorySegment memory = tensor.segment();
    for (int i = 0; i < values.length; i++) {
      double value = values[i];
      if (dtype.equals(DType.FLOAT32)) {
        memory.setAtIndex(ValueLayout.JAVA_FLOAT, i, (float) value);
      } else if (dtype.equals(DType.FLOAT64)) {
        memory.setAtIndex(ValueLayout.JAVA_DOUBLE, i, value);
      } else if (dtype.equals(DType.FLOAT16)) {
        memory.setAtIndex(ValueLayout.JAVA_SHORT, i, Float.floatToFloat16((float) value));
      } else if (dtype.equals(DType.BFLOAT16)) {
        short bits = (short) (Float.floatToRawIntBits((float) value) >>> 16);
        memory.setAtIndex(ValueLayout.JAVA_SHORT, i, bits);
      } else {
        switch (dtype.bits()) {
          case 8 -> memory.set(ValueLayout.JAVA_BYTE, i, (byte) value);
          case 16 -> memory.setAtIndex(ValueLayout.JAVA_SHORT, i, (short) (long) value);
          case 32 -> memory.setAtIndex(ValueLayout.JAVA_INT, i, (int) (long) value);
          default -> memory.setAtIndex(ValueLayout.JAVA_LONG, i, (long) value);
        }
      }
    }
    return tensor;
  }

  /** The same elements with other strides: as they are, or spread in a larger block. */
  Tensor strided(Tensor compact) {
    Shape shape = compact.shape();
    int rank = shape.rank();
    if (random.nextInt(3) == 0) {
      return compact;
    }
    int[] order = permutation(rank);
    long[] strides = new long[rank];
    long step = 1;
    long first = random.nextInt(3);
    for (int axis : order) {
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
    int[] order = new int[rank];
    for (int i = 0; i < rank; i++) {
      int j = random.nextInt(i + 1);
      order[i] = order[j];
      order[j] = i;
    }
    return order;
  }
}
