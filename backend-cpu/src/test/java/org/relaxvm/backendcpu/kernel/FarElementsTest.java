package org.relaxvm.backendcpu.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;

/**
 * Elements that are more than 2^31 elements away from each other, over a sparse file, so that
 * almost no memory is needed.
 */
class FarElementsTest {
  private static final long ROWS = 4;
  // One more than an int counts, so that cutting off bits leads to another row.
  private static final long ROW_STEP = (1L << 31) + 1;
  private static final long TENSOR_STEP = 1 << 16;
  private static final long TENSORS = 8;
  private static final long ELEMENTS = ROWS * ROW_STEP + TENSORS * TENSOR_STEP;

  @TempDir static Path folder;
  private static Arena arena;
  private static @Nullable MemorySegment memory;

  private static final Random RANDOM = Kernels.random(FarElementsTest.class);
  private int used;

  @BeforeAll
  static void mapAFile() throws IOException {
    arena = Arena.ofShared();
    long bytes = ELEMENTS * Float.BYTES;
    try (FileChannel channel =
        FileChannel.open(
            Files.createFile(folder.resolve("sparse")),
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            StandardOpenOption.SPARSE)) {
      memory = channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes, arena);
    } catch (IOException e) {
      System.out.println(
          "skipped: FarElementsTest maps a sparse file of " + bytes + " bytes: " + e);
    }
  }

  @AfterAll
  static void unmap() {
    arena.close();
  }

  /** A tensor whose neighbours along the first axis are far away. */
  private Tensor far(DType dtype, Shape shape) {
    long[] strides = new long[shape.rank()];
    long step = 1;
    for (int axis = shape.rank() - 1; axis > 0; axis--) {
      strides[axis] = step;
      step *= shape.dim(axis);
    }
    strides[0] = ROW_STEP;
    return all(dtype).stridedView(shape, strides, used++ * TENSOR_STEP);
  }

  private static Tensor all(DType dtype) {
    return memory == null
        ? abort("no sparse file")
        : Tensor.wrap(memory, dtype, Shape.of(memory.byteSize() / dtype.elementByteSize()));
  }

  private record Case(
      String kernel, List<Shape> inputs, Shape out, Function<Tensor[], Object[]> args) {
    @Override
    public String toString() {
      return kernel + inputs;
    }
  }

  private static Case of(
      String kernel, Shape out, Function<Tensor[], Object[]> args, Shape... inputs) {
    return new Case(kernel, List.of(inputs), out, args);
  }

  static List<Case> cases() {
    Shape square = Shape.of(4, 40);
    Shape wide = Shape.of(4, 300);
    Shape image = Shape.of(3, 2, 6, 6);
    return List.of(
        of("add", square, t -> new Object[] {t[0], t[1], t[2]}, square, square),
        of("exp", square, t -> new Object[] {t[0], t[1]}, square),
        of("copy", square, t -> new Object[] {t[0], t[1]}, square),
        of(
            "permute_dims",
            Shape.of(4, 4),
            t -> new Object[] {t[0], Shape.of(1, 0), t[1]},
            Shape.of(4, 4)),
        of(
            "concat",
            Shape.of(4, 80),
            t -> new Object[] {Tuple.of(t[0], t[1]), 1L, t[2]},
            square,
            square),
        of("softmax", wide, t -> new Object[] {t[0], -1L, t[1]}, wide),
        of("softmax", wide, t -> new Object[] {t[0], 0L, t[1]}, wide),
        of(
            "layer_norm",
            wide,
            t -> new Object[] {t[0], null, null, Shape.of(-1), 1e-5, t[1]},
            wide),
        of("sum", Shape.of(1, 40), t -> new Object[] {t[0], Shape.of(0), true, t[1]}, square),
        of("sum", Shape.of(4), t -> new Object[] {t[0], Shape.of(1), false, t[1]}, square),
        of("max", Shape.of(1, 300), t -> new Object[] {t[0], Shape.of(0), true, t[1]}, wide),
        of("sum", Shape.of(4), t -> new Object[] {t[0], Shape.of(1), false, t[1]}, wide),
        of("cumsum", square, t -> new Object[] {t[0], 0L, false, t[1]}, square),
        of("sort", square, t -> new Object[] {t[0], 0L, false, t[1]}, square),
        of(
            "strided_slice",
            Shape.of(2, 40),
            t -> new Object[] {t[0], Shape.of(0), Shape.of(3), Shape.of(0), Shape.of(-2), t[1]},
            square),
        of(
            "pad",
            Shape.of(4, 42),
            t -> new Object[] {t[0], Shape.of(0, 0, 1, 1), "constant", 1.0, t[1]},
            square),
        of(
            "matmul",
            Shape.of(4, 4),
            t -> new Object[] {t[0], t[1], null, false, true, "none", t[2]},
            wide,
            wide),
        of(
            "matmul",
            Shape.of(3, 20, 300),
            t -> new Object[] {t[0], t[1], null, false, false, "relu", t[2]},
            Shape.of(3, 20, 4),
            wide),
        of(
            "matmul",
            Shape.of(4, 300),
            t -> new Object[] {t[0], t[1], null, true, false, "none", t[2]},
            Shape.of(4, 4),
            wide),
        of(
            "conv2d",
            Shape.of(3, 4, 6, 6),
            t ->
                new Object[] {
                  t[0],
                  t[1],
                  null,
                  Shape.of(1, 1),
                  Shape.of(1, 1, 1, 1),
                  Shape.of(1, 1),
                  1L,
                  "none",
                  t[2]
                },
            image,
            Shape.of(4, 2, 3, 3)),
        of(
            "max_pool2d",
            Shape.of(3, 2, 3, 3),
            t ->
                new Object[] {
                  t[0],
                  Shape.of(2, 2),
                  Shape.of(2, 2),
                  Shape.of(0, 0, 0, 0),
                  Shape.of(1, 1),
                  false,
                  t[1]
                },
            image));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void kernelsReachFarElements(Case given) {
    int inputs = given.inputs().size();
    Tensor[] near = new Tensor[inputs + 1];
    Tensor[] far = new Tensor[inputs + 1];
    for (int i = 0; i < inputs; i++) {
      float[] values = new float[(int) given.inputs().get(i).elementCount()];
      for (int j = 0; j < values.length; j++) {
        values[j] = RANDOM.nextFloat(-1, 1);
      }
      near[i] = Tensor.of(values, given.inputs().get(i));
      far[i] = far(DType.FLOAT32, given.inputs().get(i));
      near[i].copyInto(far[i]);
    }
    near[inputs] = Tensor.zeros(DType.FLOAT32, given.out());
    far[inputs] = far(DType.FLOAT32, given.out());
    Kernels.call(given.kernel(), given.args().apply(near));
    Kernels.call(given.kernel(), given.args().apply(far));
    assertThat(far[inputs].toFloatArray())
        .containsExactly(near[inputs].toFloatArray(), within(1e-4f));
  }

  @Test
  void indicesBeyondAnIntAreReached() {
    Tensor line = all(DType.INT8);
    long last = line.elementCount() - 1;
    line.slice(0, last, last + 1).fill(42);
    Tensor index = Tensor.of(new long[] {last, -1}, Shape.of(2));
    Tensor taken = Tensor.zeros(DType.INT8, Shape.of(2));
    Kernels.call("take", line, index, 0L, "wrap", taken);
    assertThat(taken.toLongArray()).containsExactly(42, 42);
    Tensor end = Tensor.zeros(DType.INT8, Shape.of(2));
    Kernels.call(
        "strided_slice",
        line,
        Shape.of(0),
        Shape.of(last),
        Shape.of(-last - 2),
        Shape.of(-last),
        end);
    assertThat(end.toLongArray()).containsExactly(42, 0);
  }
}
