package org.relaxvm.backendcpu.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.relaxvm.api.DType;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.tir.PrimFunc;

/** Generated code takes whatever memory, scalars and extents a kernel may get. */
class GeneratedKernelTest {
  private static final PrimFunc TWICE =
      GeneratedKernels.kernel(
          """
          @T.prim_func(private=True)
          def twice(A: T.Buffer((n, m), "float32"), C: T.Buffer((n, m), "float32")):
              n = T.int64()
              m = T.int64()
              for i, j in T.grid(n, m):
                  C[i, j] = A[i, j] * T.float32(2) + T.float32(i)
          """);

  @TempDir Path folder;

  static Tensor numbers(long... shape) {
    Shape dims = Shape.of(shape);
    float[] values = new float[(int) dims.elementCount()];
    for (int i = 0; i < values.length; i++) {
      values[i] = i % 97 - 31;
    }
    return Tensor.of(values, dims);
  }

  @Test
  void inputsAndOutputsHaveAnyStrides() {
    GeneratedKernels.assertSame(TWICE, () -> List.of(numbers(7, 5).permute(1, 0), numbers(5, 7)));
    GeneratedKernels.assertSame(TWICE, () -> List.of(numbers(5, 7), numbers(7, 5).permute(1, 0)));
    GeneratedKernels.assertSame(
        TWICE,
        () ->
            List.of(
                numbers(9, 40).slice(1, 3, 36).slice(0, 2, 8),
                numbers(1000).stridedView(Shape.of(6, 33), new long[] {100, 3}, 7)));
  }

  @Test
  void outputWithStridesLeavesWhatIsBetween() {
    Tensor all = numbers(4, 9);
    GeneratedKernels.call(
        GeneratedKernels.compile(TWICE), null, List.of(numbers(4, 2), all.slice(1, 3, 5)));
    Tensor expected = numbers(4, 9);
    for (int i = 0; i < 4; i++) {
      Tensor part = expected.slice(1, 3, 5).slice(0, i, i + 1);
      Tensor row = numbers(4, 2).slice(0, i, i + 1);
      Tensor.of(
              new float[] {(float) row.doubleAt(0, 0) * 2 + i, (float) row.doubleAt(0, 1) * 2 + i},
              Shape.of(1, 2))
          .copyInto(part);
    }
    assertThat(all.toFloatArray()).isEqualTo(expected.toFloatArray());
  }

  @Test
  void stridesAndOffsetsOfParametersAreVariables() {
    PrimFunc kernel =
        GeneratedKernels.kernel(
            """
            @T.prim_func(private=True)
            def strided(A: T.Buffer((n, m), "float32", strides=(r, s), elem_offset=o), C: T.Buffer((n, m), "float32", strides=(1, t))):
                n = T.int64()
                m = T.int64()
                r = T.int64()
                s = T.int64()
                t = T.int64()
                o = T.int64()
                for i, j in T.grid(n, m):
                    C[i, j] = A[i, j] + T.Cast("float32", r * 100 + s * 10 + t + o)
            """);
    GeneratedKernels.assertSame(
        kernel,
        () ->
            List.of(
                numbers(500).stridedView(Shape.of(4, 19), new long[] {60, 3}, 11),
                numbers(19, 6).permute(1, 0).slice(0, 1, 5)));
    GeneratedKernels.assertSame(kernel, () -> List.of(numbers(3, 5), numbers(5, 3).permute(1, 0)));
  }

  static Stream<Arguments> scalars() {
    return Stream.of(
        Arguments.of(DType.INT8, -128L),
        Arguments.of(DType.UINT8, 255L),
        Arguments.of(DType.INT16, -32768L),
        Arguments.of(DType.UINT16, 65535L),
        Arguments.of(DType.INT32, -2147483648L),
        Arguments.of(DType.UINT32, 4294967295L),
        Arguments.of(DType.INT64, Long.MIN_VALUE),
        Arguments.of(DType.UINT64, -2L),
        Arguments.of(DType.BOOL, true),
        Arguments.of(DType.FLOAT16, 0.1),
        Arguments.of(DType.BFLOAT16, 0.1),
        Arguments.of(DType.FLOAT32, 0.1),
        Arguments.of(DType.FLOAT64, 0.1));
  }

  @ParameterizedTest
  @MethodSource("scalars")
  void scalarsGoInAndOut(DType dtype, Object value) {
    PrimFunc kernel =
        GeneratedKernels.kernel(
            """
            @T.prim_func(private=True)
            def scalar(k: T.DTYPE, C: T.Buffer((21,), "DTYPE")) -> T.DTYPE:
                for i in range(21):
                    C[i] = k
                return k
            """
                .replace("DTYPE", dtype.toString()));
    GeneratedKernels.assertSame(kernel, () -> List.of(value, Tensor.zeros(dtype, Shape.of(21))));
  }

  @Test
  void resultsAreWhatTheBranchThatReturnsSays() {
    PrimFunc kernel =
        GeneratedKernels.kernel(
            """
            @T.prim_func(private=True)
            def kind(A: T.Buffer((n,), "float32"), k: T.int64) -> T.int64:
                n = T.int64()
                for i in range(n):
                    A[i] = A[i] + T.float32(1)
                if k < 0:
                    A[0] = T.float32(7)
                    return -1
                elif k == 0:
                    return n
                else:
                    with T.LetStmt(k * k, var=x):
                        return x + 1
            """);
    for (long k : new long[] {-5, 0, 5}) {
      GeneratedKernels.assertSame(kernel, () -> List.of(numbers(50), k));
    }
    PrimFunc average =
        GeneratedKernels.kernel(
            """
            @T.prim_func(private=True)
            def average(a: T.float64, b: T.float64) -> T.float64:
                return (a + b) * T.float64(0.5)
            """);
    GeneratedKernels.assertSame(average, () -> List.of(0.1, 7.0));
    PrimFunc less =
        GeneratedKernels.kernel(
            """
            @T.prim_func(private=True)
            def less(a: T.int64, b: T.int64) -> T.bool:
                return a < b and not a == 3
            """);
    GeneratedKernels.assertSame(less, () -> List.of(2L, 4L));
    GeneratedKernels.assertSame(less, () -> List.of(3L, 4L));
  }

  @Test
  void memoryInsideOfLoopsHasItsSizeOfEachTurn() {
    PrimFunc kernel =
        GeneratedKernels.kernel(
            """
            @T.prim_func(private=True)
            def prefixes(A: T.Buffer((n,), "float32"), C: T.Buffer((n,), "float32")):
                n = T.int64()
                for i in range(n):
                    with T.block("prefix"):
                        v = T.axis.spatial(n, i)
                        B = T.alloc_buffer((v + 1, 2), "float32")
                        for j, k in T.grid(v + 1, 2):
                            B[j, k] = A[j] * T.float32(k + 1)
                        C[v] = T.float32(0)
                        for j in range(v + 1):
                            C[v] = C[v] + B[v - j, 1] - B[j, 0]
            """);
    GeneratedKernels.assertSame(kernel, () -> List.of(numbers(70), numbers(70)));
    GeneratedKernels.assertSame(kernel, () -> List.of(numbers(0), numbers(0)));
  }

  @Test
  void elementwiseKernelsMayWriteTheirInput() {
    for (PackedFunc function :
        GeneratedKernels.compiledInAllWays(TWICE, name -> java.util.Optional.empty())) {
      Tensor expected = numbers(5, 37);
      GeneratedKernels.call(function, null, List.of(numbers(5, 37), expected));
      Tensor both = numbers(5, 37);
      GeneratedKernels.call(function, null, List.of(both, both));
      assertThat(both.toFloatArray()).isEqualTo(expected.toFloatArray());
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 5})
  void extentsOfZeroWriteNothing(long extent) {
    GeneratedKernels.assertSame(TWICE, () -> List.of(numbers(0, extent), numbers(0, extent)));
    GeneratedKernels.assertSame(TWICE, () -> List.of(numbers(extent, 0), numbers(extent, 0)));
    PrimFunc sum =
        GeneratedKernels.kernel(
            """
            @T.prim_func(private=True)
            def sums(A: T.Buffer((n, m), "float32"), C: T.Buffer((n,), "float32"), D: T.Buffer((n, m), "float32")):
                n = T.int64()
                m = T.int64()
                B = T.alloc_buffer((n, m), "float32")
                for i, j in T.grid(n, m):
                    with T.block("copy"):
                        v, w = T.axis.remap("SS", [i, j])
                        B[v, w] = A[v, w] + T.float32(1)
                for i in range(n):
                    with T.block("start"):
                        v = T.axis.spatial(n, i)
                        C[v] = T.float32(0)
                for i, j in T.grid(n, m):
                    with T.block("sum"):
                        v, r = T.axis.remap("SR", [i, j])
                        C[v] = C[v] + B[v, r]
                for i, j in T.grid(n, m):
                    with T.block("less"):
                        v, w = T.axis.remap("SS", [i, j])
                        D[v, w] = B[v, w] - C[v]
            """);
    GeneratedKernels.assertSame(
        sum, () -> List.of(numbers(0, extent), numbers(0), numbers(0, extent)));
    GeneratedKernels.assertSame(
        sum, () -> List.of(numbers(extent, 0), numbers(extent), numbers(extent, 0)));
  }

  @Test
  void loopsCountBeyondWhatAnIntHolds() {
    PrimFunc kernel =
        GeneratedKernels.kernel(
            """
            @T.prim_func(private=True)
            def far(P: T.Buffer((2,), "int64"), D: T.Buffer((n,), "int64")):
                n = T.int64()
                for i in range(2147483640, 2147483640 + n):
                    D[i - 2147483640] = i
                for i in range(P[0], P[1]):
                    D[i - P[0]] = D[i - P[0]] + i * 3
            """);
    for (long start : new long[] {Integer.MAX_VALUE - 9L, -Integer.MAX_VALUE - 19L, 1L << 40}) {
      GeneratedKernels.assertSame(
          kernel,
          () ->
              List.of(
                  Tensor.of(new long[] {start, start + 40}, Shape.of(2)),
                  Tensor.zeros(DType.INT64, Shape.of(40))));
    }
  }

  @Test
  void manyThreadsMayCallTheSameKernel() throws Exception {
    PackedFunc function = GeneratedKernels.compile(TWICE);
    Tensor expected = numbers(11, 130);
    GeneratedKernels.call(function, null, List.of(numbers(11, 130), expected));
    List<Callable<float[]>> calls = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      calls.add(
          () -> {
            Tensor got = numbers(11, 130);
            for (int turn = 0; turn < 500; turn++) {
              GeneratedKernels.call(function, null, List.of(numbers(11, 130), got));
            }
            return got.toFloatArray();
          });
    }
    try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
      for (Future<float[]> result : threads.invokeAll(calls)) {
        assertThat(result.get()).isEqualTo(expected.toFloatArray());
      }
    }
  }

  @Test
  void constantsMayBeMappedFiles() throws IOException {
    Tensor heap = numbers(13, 21);
    Path file = folder.resolve("constant");
    Files.write(file, heap.segment().toArray(java.lang.foreign.ValueLayout.JAVA_BYTE));
    try (Arena arena = Arena.ofShared();
        FileChannel channel = FileChannel.open(file)) {
      MemorySegment memory = channel.map(FileChannel.MapMode.READ_ONLY, 0, 13 * 21 * 4, arena);
      Tensor constant = Tensor.wrap(memory, DType.FLOAT32, heap.shape());
      constant.markConstant();
      GeneratedKernels.assertSame(TWICE, () -> List.of(constant, numbers(13, 21)));
    }
  }
}
