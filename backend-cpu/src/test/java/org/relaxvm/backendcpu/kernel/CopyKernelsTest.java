package org.relaxvm.backendcpu.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;

class CopyKernelsTest {
  private static final int ROUNDS = 150;
  private static final List<DType> ALL =
      Stream.of(RandomTensors.FLOATS, RandomTensors.INTEGERS, List.of(DType.BOOL))
          .flatMap(List::stream)
          .toList();

  private final Random random = Kernels.random(CopyKernelsTest.class);
  private final RandomTensors tensors = new RandomTensors(random);

  @Test
  void copyRepeatsWhereExtentsAreOneOrMissing() {
    for (int i = 0; i < ROUNDS; i++) {
      DType dtype = tensors.oneOf(ALL);
      Shape shape = tensors.shape(random.nextInt(5), 5);
      Tensor x = tensors.values(dtype, tensors.broadcastable(shape));
      Tensor out = tensors.output(dtype, shape);
      Kernels.call("copy", x, out);
      double[] values = x.toDoubleArray();
      Expected.check(out, at -> Expected.element(values, x.shape(), at));
    }
  }

  @Test
  void reshapeKeepsRowMajorOrder() {
    for (int i = 0; i < ROUNDS; i++) {
      DType dtype = tensors.oneOf(ALL);
      long a = random.nextInt(5);
      long b = 1L + random.nextInt(4);
      long c = 1L + random.nextInt(4);
      List<Shape> shapes =
          List.of(
              Shape.of(a, b, c), Shape.of(c, a * b), Shape.of(a * b * c), Shape.of(b, 1, c * a));
      Tensor x = tensors.values(dtype, shapes.get(random.nextInt(4)));
      Tensor out = tensors.output(dtype, shapes.get(random.nextInt(4)));
      Kernels.call("reshape", x, out);
      assertThat(out.toDoubleArray()).isEqualTo(x.toDoubleArray());
    }
  }

  @Test
  void permuteMovesAxes() {
    for (int i = 0; i < ROUNDS; i++) {
      DType dtype = tensors.oneOf(ALL);
      int rank = random.nextInt(5);
      Tensor x = tensors.values(dtype, tensors.shape(rank, 5));
      boolean reverse = random.nextInt(4) == 0;
      int[] order = tensors.permutation(rank);
      long[] axes = new long[rank];
      long[] dims = new long[rank];
      for (int axis = 0; axis < rank; axis++) {
        order[axis] = reverse ? rank - 1 - axis : order[axis];
        axes[axis] = random.nextBoolean() ? order[axis] : order[axis] - rank;
        dims[axis] = x.shape().dim(order[axis]);
      }
      Tensor out = tensors.output(dtype, Shape.of(dims));
      Kernels.call("permute_dims", x, reverse ? null : Shape.of(axes), out);
      double[] values = x.toDoubleArray();
      Expected.check(
          out,
          at -> {
            long[] source = new long[rank];
            for (int axis = 0; axis < rank; axis++) {
              source[order[axis]] = at[axis];
            }
            return Expected.element(values, x.shape(), source);
          });
    }
  }

  @Test
  void concatJoinsAlongAnyAxis() {
    for (int i = 0; i < ROUNDS; i++) {
      DType dtype = tensors.oneOf(ALL);
      Shape shape = tensors.shape(1 + random.nextInt(4), 4);
      int axis = random.nextInt(shape.rank());
      Tensor[] parts = new Tensor[1 + random.nextInt(3)];
      long[] dims = shape.toArray();
      long sum = 0;
      for (int p = 0; p < parts.length; p++) {
        dims[axis] = random.nextInt(4);
        sum += dims[axis];
        parts[p] = tensors.values(dtype, Shape.of(dims));
      }
      dims[axis] = sum;
      Tensor out = tensors.output(dtype, Shape.of(dims));
      try (Tuple tuple = Tuple.of((Object[]) parts)) {
        Kernels.call("concat", tuple, random.nextBoolean() ? axis : axis - shape.rank(), out);
      }
      Expected.check(
          out,
          at -> {
            long[] source = at.clone();
            int part = 0;
            while (source[axis] >= parts[part].shape().dim(axis)) {
              source[axis] -= parts[part++].shape().dim(axis);
            }
            return Expected.element(parts[part].toDoubleArray(), parts[part].shape(), source);
          });
    }
  }

  @Test
  void whereChoosesByTheCondition() {
    for (int i = 0; i < ROUNDS; i++) {
      DType dtype = tensors.oneOf(ALL);
      Shape shape = tensors.shape(random.nextInt(4), 6);
      Tensor condition = tensors.values(DType.BOOL, tensors.broadcastable(shape));
      Tensor a = tensors.values(dtype, shape);
      Tensor b = tensors.values(dtype, tensors.broadcastable(shape));
      Tensor out = tensors.output(dtype, shape);
      Kernels.call("where", condition, a, b, out);
      double[] holds = condition.toDoubleArray();
      double[] x = a.toDoubleArray();
      double[] y = b.toDoubleArray();
      Expected.check(
          out,
          at ->
              Expected.element(holds, condition.shape(), at) != 0
                  ? Expected.element(x, a.shape(), at)
                  : Expected.element(y, b.shape(), at));
    }
  }

  @Test
  void copiesKeepTheBitsOfNotANumber() {
    Tensor bits = Tensor.of(new int[] {0x7FA00001, 0xFFC12345}, Shape.of(2));
    Tensor x = bits.reinterpret(Shape.of(2), DType.FLOAT32);
    Tensor out = Tensor.zeros(DType.FLOAT32, Shape.of(2, 2));
    Kernels.call("copy", x, out.permute(1, 0));
    assertThat(out.reinterpret(Shape.of(4), DType.INT32).toLongArray())
        .containsExactly(0x7FA00001, 0x7FA00001, 0xFFC12345, 0xFFC12345);
  }
}
