package org.relaxvm.backendcpu.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.relaxvm.backendcpu.codegen.emit.ClassEmitter;
import org.relaxvm.backendcpu.codegen.loops.Lowering;
import org.relaxvm.backendcpu.rules.CpuSchedule;
import org.relaxvm.backendcpu.vector.MemoryKind;
import org.relaxvm.tir.PrimFunc;

/**
 * The instructions that kernels become for vectors of 16 lanes are those that were approved, on
 * every machine. {@code -Drelaxvm.updateDocuments=true} writes them anew.
 */
class GeneratedListingTest {
  private static final Path APPROVED = Path.of("src/test/resources/generated");

  static Stream<PrimFunc> kernels() {
    return Stream.of(
            """
            def elementwise(A: T.Buffer((n,), "float32"), B: T.Buffer((n,), "float32"), C: T.Buffer((n,), "float32")):
                n = T.int64()
                for i in range(n):
                    with T.block("C"):
                        v = T.axis.spatial(n, i)
                        C[v] = T.max(T.exp(A[v] * B[v]) - T.float32(1), T.float32(0))
            """,
            """
            def softmax(P: T.Buffer((n, m), "float32"), C: T.Buffer((n, m), "float32")):
                n = T.int64()
                m = T.int64()
                X = T.alloc_buffer((n,), "float32")
                S = T.alloc_buffer((n,), "float32")
                E = T.alloc_buffer((n, m), "float32")
                for i, j in T.grid(n, m):
                    with T.block("max"):
                        v, r = T.axis.remap("SR", [i, j])
                        with T.init():
                            X[v] = T.float32("-inf")
                        X[v] = T.max(X[v], P[v, r])
                for i, j in T.grid(n, m):
                    with T.block("exp"):
                        v, w = T.axis.remap("SS", [i, j])
                        E[v, w] = T.exp(P[v, w] - X[v])
                for i, j in T.grid(n, m):
                    with T.block("sum"):
                        v, r = T.axis.remap("SR", [i, j])
                        with T.init():
                            S[v] = T.float32(0)
                        S[v] = S[v] + E[v, r]
                for i, j in T.grid(n, m):
                    with T.block("div"):
                        v, w = T.axis.remap("SS", [i, j])
                        C[v, w] = E[v, w] / S[v]
            """,
            """
            def column_sum(A: T.Buffer((n, m), "float32"), C: T.Buffer((m,), "float32")):
                n = T.int64()
                m = T.int64()
                for i, j in T.grid(m, n):
                    with T.block("sum"):
                        v, r = T.axis.remap("SR", [i, j])
                        with T.init():
                            C[v] = T.float32(0)
                        C[v] = C[v] + A[r, v]
            """,
            """
            def gather(A: T.Buffer((n,), "float32"), P: T.Buffer((m,), "int64"), C: T.Buffer((m,), "float32")):
                n = T.int64()
                m = T.int64()
                for i in range(m):
                    with T.block("C"):
                        v = T.axis.spatial(m, i)
                        C[v] = A[P[v]]
            """,
            """
            def matmul(A: T.Buffer((4, 5), "float32"), B: T.Buffer((5, 6), "float32"), C: T.Buffer((4, 6), "float32")):
                for i, j, k in T.grid(4, 6, 5):
                    with T.block("C"):
                        v, w, r = T.axis.remap("SSR", [i, j, k])
                        with T.init():
                            C[v, w] = T.float32(0)
                        C[v, w] = C[v, w] + A[v, r] * B[r, w]
            """,
            """
            def half(A: T.Buffer((n,), "float16"), C: T.Buffer((n,), "float16")):
                n = T.int64()
                for i in range(n):
                    with T.block("C"):
                        v = T.axis.spatial(n, i)
                        C[v] = A[v] * A[v] + T.float16(1)
            """,
            """
            def pad(A: T.Buffer((n,), "float32"), C: T.Buffer((n + 2,), "float32")):
                n = T.int64()
                for i in range(n + 2):
                    with T.block("C"):
                        v = T.axis.spatial(n + 2, i)
                        C[v] = T.if_then_else(1 <= v and v <= n, A[v - 1], T.float32(0))
            """,
            """
            def unrolled(A: T.Buffer((n, 3), "float32"), C: T.Buffer((n, 3), "float32")):
                n = T.int64()
                for i in range(n):
                    for j in T.unroll(3):
                        C[i, j] = A[i, 2 - j] * T.float32(j)
            """)
        .map(text -> GeneratedKernels.kernel("@T.prim_func(private=True)\n" + text));
  }

  @ParameterizedTest(name = "{index}")
  @MethodSource("kernels")
  void isWhatWasApproved(PrimFunc kernel) throws IOException {
    byte[] bytes =
        ClassEmitter.generate(
                Lowering.of(CpuSchedule.of(kernel).kernel()),
                Optional.of(VectorOperations.of(16, 8, true)),
                MemoryKind.PINNED)
            .bytes();
    String text = Listing.of(bytes);
    Path file = APPROVED.resolve(kernel.name() + ".txt");
    if (Boolean.getBoolean("relaxvm.updateDocuments")) {
      Files.createDirectories(APPROVED);
      Files.writeString(file, text);
    }
    assertThat(file).as("-Drelaxvm.updateDocuments=true writes it anew").hasContent(text);
  }
}
