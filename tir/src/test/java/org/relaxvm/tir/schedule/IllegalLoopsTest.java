package org.relaxvm.tir.schedule;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.error.InvalidProgramException;

/** Loops whose order and iterations matter to what is in them. */
class IllegalLoopsTest {
  private static void refused(ThrowingCallable primitive, String message) {
    assertThatThrownBy(primitive).isInstanceOf(InvalidProgramException.class).hasMessage(message);
  }

  @Test
  void countersOfFusedLoopsHaveOneDtype() {
    Written kernel =
        Written.kernel(
            """
            for i in range(8):
                for j in range(T.int32(8)):
                    with T.block("b"):
                        v = T.axis.spatial(8, i)
                        w = T.axis.spatial(8, T.Cast("int64", j))
                        M[v, w] = 1
            """);
    refused(
        () -> kernel.schedule.fuse(kernel.loop("i"), kernel.loop("j")),
        "to fuse the loops over i and j is not legal: their counters are int64 and int32");
  }

  private static void keepsOrder(String inside, String why) {
    Written kernel =
        Written.kernel("for i in range(8):\n    for j in range(8):\n" + inside.indent(8));
    refused(
        () -> kernel.schedule.reorder(List.of(kernel.loop("j"), kernel.loop("i"))),
        "to reorder the loops over j, i is not legal: " + why);
  }

  @Test
  void blocksSayWhatTheOrderOfLoopsMeans() {
    keepsOrder("M[i, j] = 1\n", "there is no block inside that says what their order means");
    keepsOrder(
        "with T.block(\"b\"):\n    C[0] = 1\n",
        "the block b has no axes that say what their order means");
    keepsOrder(
        """
        with T.block("b"):
            v = T.axis.spatial(8, i)
            o = T.axis.opaque(8, j)
            C[v] = o
        """,
        "the points of the axis o of the block b must follow each other in order");
    keepsOrder(
        """
        with T.block("b"):
            v, w = T.axis.remap("SS", [i, j])
            N[v, w] = 1
        with T.block("c"):
            x, y = T.axis.remap("SS", [i, j])
            M[x, y] = N[y, x]
        """,
        "the blocks b and c inside both work on N, so their order counts");
  }

  /** Merges a loop over {@code i} with one over {@code j}. */
  private static void staysApart(String extent, String inside, String why) {
    String first =
        """
        for i in range(%s):
            with T.block("b"):
                v = T.axis.spatial(8, i)
                B[v] = 1
        """;
    String second = "for j in range(%s):\n" + inside.indent(4);
    Written kernel = Written.kernel((first + second).formatted(extent, extent));
    refused(
        () -> kernel.schedule.merge(List.of(kernel.loop("i"), kernel.loop("j"))),
        "to merge the loops over i, j is not legal: " + why);
  }

  @Test
  void iterationsOfMergedLoopsOnlyRunBlocks() {
    staysApart("8", "T.call_packed(\"g\", C)\n", "one calls g");
    staysApart("8", "return 1\n", "one returns");
    staysApart("A[0]", "C[j] = 1\n", "the bounds of the loop over i are read from a buffer");
  }

  /** Runs iterations of the loop over {@code i} on many threads. */
  private static void staysSerial(String inside, String why) {
    Written kernel = Written.kernel("for i in range(8):\n" + inside.indent(4));
    refused(
        () -> kernel.schedule.parallel(kernel.loop("i")),
        "to make the loop over i parallel is not legal: " + why);
  }

  @Test
  void concurrentIterationsOnlyMoveBlocks() {
    staysSerial("T.call_packed(\"g\", C)\n", "it calls g outside of a block");
    staysSerial("return 1\n", "it returns");
    staysSerial(
        "with T.block(\"b\"):\n    C[0] = 1\n",
        "each iteration runs the block b at the same points");
    staysSerial(
        "with T.block(\"b\"):\n    o = T.axis.opaque(8, i)\n    C[o] = 1\n",
        "it moves along the axis o of the block b, whose points must follow each other in order");
  }
}
