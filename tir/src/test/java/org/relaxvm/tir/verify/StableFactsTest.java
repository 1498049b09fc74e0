package org.relaxvm.tir.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.text.TirText;

/** What is known of a loaded element ends where its buffer is written. */
class StableFactsTest {
  private static PrimFunc kernel(String body) {
    String head =
        """
        # relaxvm tir 1
        @T.prim_func
        def f(C: T.Buffer((2,), "int64"), A: T.Buffer((4,), "float32"), D: T.Buffer((2,), "int64")):
        """;
    return TirText.parse(head + body.indent(4), "kernel").getFirst();
  }

  private static List<String> unproven(String body) {
    return Verifier.verify(kernel(body)).accesses().stream()
        .map(access -> access.buffer() + "[" + loadedBy(access.indices().getFirst()) + "]")
        .toList();
  }

  private static String loadedBy(PrimExpr index) {
    return index instanceof BufferLoad load ? load.buffer().name() : "";
  }

  @Test
  void conditionsHoldUntilAStore() {
    assertThat(
            unproven(
                """
                if C[0] >= 0 and C[0] < 4:
                    A[C[0]] = T.float32(1)
                """))
        .isEmpty();
    assertThat(
            unproven(
                """
                if C[0] >= 0 and C[0] < 4:
                    C[0] = 1000000
                    A[C[0]] = T.float32(1)
                """))
        .hasSize(1);
    assertThat(
            unproven(
                """
                if C[0] < 0 or C[0] >= 4:
                    pass
                else:
                    for i in range(9):
                        A[C[0]] = T.float32(1)
                        C[1] = C[1] + C[0]
                """))
        .hasSize(1);
    // Another buffer is written; the first part holds, and of the second it is not known.
    assertThat(
            unproven(
                """
                if C[0] >= 0 and C[0] < 4 and D[0] >= 0 and D[0] < 4:
                    D[0] = 1000000
                    A[C[0]] = T.float32(1)
                    A[D[0]] = T.float32(1)
                """))
        .containsExactly("A[D]");
  }

  @Test
  void aPackedFunctionMayWriteWhatItGets() {
    assertThat(
            unproven(
                """
                if C[0] >= 0 and C[0] < 4:
                    T.call_packed("f", C)
                    A[C[0]] = T.float32(1)
                """))
        .hasSize(1);
  }

  @Test
  void valuesOfLetStatementsAreThoseInFrontOfThem() {
    assertThat(
            unproven(
                """
                with T.LetStmt(C[0], var=b):
                    C[0] = 1000000
                    A[C[0] - b] = T.float32(1)
                """))
        .hasSize(1);
    assertThat(
            unproven(
                """
                with T.LetStmt(C[0], var=b):
                    if b >= 0 and b < 4:
                        C[0] = 1000000
                        A[b] = T.float32(1)
                        A[C[0]] = T.float32(1)
                """))
        .containsExactly("A[C]");
  }

  @Test
  void boundsOfLoopsAreThoseInFrontOfThem() {
    assertThat(
            unproven(
                """
                for i in range(C[0]):
                    C[0] = 1
                    if C[0] < 4:
                        A[i] = T.float32(1)
                """))
        .hasSize(1);
    assertThat(
            unproven(
                """
                for i in range(C[0]):
                    if C[0] < 4:
                        A[i] = T.float32(1)
                """))
        .isEmpty();
  }

  @Test
  void axesOfBlocksHaveTheirValuesInFrontOfThem() {
    assertThat(
            unproven(
                """
                if C[0] >= 0 and C[0] < 4:
                    with T.block("b"):
                        v = T.axis.opaque(4, C[0])
                        C[0] = 1000000
                        A[v - C[0]] = T.float32(1)
                """))
        .hasSize(1);
  }

  @Test
  void extentsOfBuffersAreNotLoaded() {
    String text =
        """
        with T.block("b"):
            B = T.alloc_buffer((C[0],), "float32")
            B[0] = T.float32(1)
        """;
    assertThatThrownBy(() -> Verifier.verify(kernel(text)))
        .hasMessage(
            "the kernel f is not valid: an extent, stride or offset of the buffer B is loaded from"
                + " a buffer, whose element may change\n"
                + "  what to do: give the kernel a scalar parameter");
  }
}
