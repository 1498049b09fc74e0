package org.relaxvm.backendcpu.codegen;

import static org.relaxvm.backendcpu.codegen.GeneratedKernelTest.numbers;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.relaxvm.tir.PrimFunc;

/** Loops in vectors, of any length, touch only what a turn touches. */
class VectorLoopsTest {
  /** Around one, four and eight vectors of any width. */
  private static final int[] LENGTHS = {
    0, 1, 3, 4, 15, 16, 17, 31, 33, 63, 64, 65, 79, 127, 128, 129, 145, 193, 255, 257, 300
  };

  @Test
  void sumsOfAnyLength() {
    PrimFunc kernel =
        GeneratedKernels.kernel(
            """
            @T.prim_func(private=True)
            def sums(A: T.Buffer((n, m), "float32"), B: T.Buffer((n, m), "float32"), S: T.Buffer((n,), "float32"), D: T.Buffer((n,), "float32")):
                n = T.int64()
                m = T.int64()
                for i in range(n):
                    with T.block("start"):
                        v = T.axis.spatial(n, i)
                        S[v] = T.float32(0)
                for i, j in T.grid(n, m):
                    with T.block("sum"):
                        v, r = T.axis.remap("SR", [i, j])
                        S[v] = S[v] + A[v, r]
                for i in range(n):
                    with T.block("start_dot"):
                        v = T.axis.spatial(n, i)
                        D[v] = T.float32(0)
                for i, j in T.grid(n, m):
                    with T.block("dot"):
                        v, r = T.axis.remap("SR", [i, j])
                        D[v] = D[v] + A[v, r] * B[v, r]
            """);
    for (int length : LENGTHS) {
      GeneratedKernels.assertSame(
          kernel, () -> List.of(numbers(3, length), numbers(3, length), numbers(3), numbers(3)));
    }
  }

  @Test
  void conditionsKeepReadsInside() {
    PrimFunc kernel =
        GeneratedKernels.kernel(
            """
            @T.prim_func(private=True)
            def joined(A: T.Buffer((n,), "float32"), B: T.Buffer((m,), "float32"), C: T.Buffer((n + m,), "float32"), S: T.Buffer((1,), "float32")):
                n = T.int64()
                m = T.int64()
                for i in range(n + m):
                    with T.block("join"):
                        v = T.axis.spatial(n + m, i)
                        C[v] = T.if_then_else(v < n, A[v], B[v - n])
                for i in range(n + m):
                    with T.block("sum"):
                        r = T.axis.reduce(n + m, i)
                        with T.init():
                            S[0] = T.float32(0)
                        S[0] = S[0] + T.if_then_else(r < n, A[r], T.float32(3))
            """);
    for (int length : LENGTHS) {
      GeneratedKernels.assertSame(
          kernel, () -> List.of(numbers(length), numbers(37), numbers(length + 37), numbers(1)));
      GeneratedKernels.assertSame(
          kernel, () -> List.of(numbers(37), numbers(length), numbers(length + 37), numbers(1)));
    }
  }

  @Test
  void loopsInsideMayRunNoTurn() {
    PrimFunc kernel =
        GeneratedKernels.kernel(
            """
            @T.prim_func(private=True)
            def columns(A: T.Buffer((k, n), "float32"), C: T.Buffer((n,), "float32")):
                k = T.int64()
                n = T.int64()
                for i in range(n):
                    with T.block("start"):
                        v = T.axis.spatial(n, i)
                        C[v] = T.float32(1)
                for i, j in T.grid(n, k):
                    with T.block("sum"):
                        v, r = T.axis.remap("SR", [i, j])
                        C[v] = C[v] + A[r, v]
            """);
    for (int length : LENGTHS) {
      for (int depth : new int[] {0, 1, 7, 8, 9, 21}) {
        GeneratedKernels.assertSame(kernel, () -> List.of(numbers(depth, length), numbers(length)));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 8, 10, 12, 16, 24, 40})
  void anyNumberOfInputs(int count) {
    String inputs =
        IntStream.range(0, count)
            .mapToObj(i -> "A" + i + ": T.Buffer((n,), \"float32\"), ")
            .collect(Collectors.joining());
    String sum =
        IntStream.range(0, count).mapToObj(i -> "A" + i + "[v]").collect(Collectors.joining(" + "));
    PrimFunc kernel =
        GeneratedKernels.kernel(
            """
            @T.prim_func(private=True)
            def many(%sC: T.Buffer((n,), "float32")):
                n = T.int64()
                for i in range(n):
                    with T.block("sum"):
                        v = T.axis.spatial(n, i)
                        C[v] = %s
            """
                .formatted(inputs, sum));
    for (int length : LENGTHS) {
      GeneratedKernels.assertSame(
          kernel,
          () -> {
            List<Object> tensors = new ArrayList<>();
            for (int i = 0; i <= count; i++) {
              tensors.add(numbers(length));
            }
            return tensors;
          });
    }
  }
}
