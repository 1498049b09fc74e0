package org.relaxvm.tir.schedule;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.error.InvalidProgramException;

/** Blocks that cannot compute what other loops need, because of what they read or write. */
class IllegalBlockMovesTest {
  private static final String READER =
      """
      for j in range(8):
          with T.block("second"):
              w = T.axis.spatial(8, j)
              C[w] = B[w]
      """;

  private static void refused(ThrowingCallable primitive, String message) {
    assertThatThrownBy(primitive).isInstanceOf(InvalidProgramException.class).hasMessage(message);
  }

  private static void stays(String producer, String why) {
    Written kernel = Written.kernel(producer + READER);
    refused(
        () -> kernel.schedule.computeAt("first", kernel.loop("j")),
        "to compute the block first in the loop over j is not legal: " + why);
  }

  private static String first(String axis, String store) {
    return """
    for i in range(8):
        with T.block("first"):
            v = T.axis.%s(8, i)
            %s
    """
        .formatted(axis, store);
  }

  @Test
  void producersVisitEachElementAtAnyTime() {
    stays(
        first("opaque", "B[v] = A[v]"),
        "the points of the axis v of the block first must follow each other in order");
    stays(
        first("spatial", "B[7 - v] = A[v]"),
        "the indices of B in the block first are not its spatial axes, each of them once");
    stays(first("spatial", "B[v] = B[7 - v]"), "the block first reads other elements of B too");
  }

  @Test
  void producersOfOneBufferMoveTogether() {
    stays(
        first("spatial", "B[v] = A[v]")
            + """
            for k in range(8):
                with T.block("other"):
                    u = T.axis.spatial(8, k)
                    B[u] = A[u]
                    D[u] = A[u]
            """,
        "the block other with it writes D too");
  }

  private static final String TWICE =
      """
      for i, k in T.grid(8, 16):
          with T.block("first"):
              v = T.axis.spatial(8, i)
              r = T.axis.reduce(8, k // 2)
              with T.init():
                  B[v] = 0
              B[v] = B[v] + M[v, r]
      """;

  @Test
  void updatesVisitEachPointOnce() {
    stays(
        TWICE,
        "the loop over k may run the block first, which updates its output, at one point twice");
    Written kernel = Written.kernel(TWICE);
    refused(
        () -> kernel.schedule.decomposeReduction("first", kernel.loop("k")),
        "to start the block first in front of the loop over k is not legal: the loop over k may run"
            + " it at one point twice");
  }

  /** Moves a consumer into the loop of {@code first}. */
  private static void staysAfter(String statements, String why) {
    Written kernel = Written.kernel(statements);
    refused(
        () -> kernel.schedule.reverseComputeAt("second", kernel.loop("i")),
        "to compute the block second after the iterations of the loop over i is not legal: " + why);
  }

  @Test
  void consumersReadEachResultAtOneIndex() {
    String producer = first("spatial", "B[v] = A[v]");
    staysAfter(producer + READER.replace("= B[w]", "= C[w] + B[w]"), "it reads C, which it writes");
    staysAfter(
        producer
            + """
            for k in range(8):
                with T.block("other"):
                    u = T.axis.spatial(8, k)
                    D[u] = C[u]
            """
            + READER,
        "the block other, which runs before it, works on C too");
    staysAfter(
        """
        for i in range(8):
            for k in range(8):
                with T.block("first"):
                    v, u = T.axis.remap("SS", [i, k])
                    N[v, u] = M[v, u]
        for j, l in T.grid(8, 8):
            with T.block("second"):
                w, x = T.axis.remap("SS", [j, l])
                M[w, x] = N[w, x] + N[x, w]
        """
            .replace("M[v, u]", "v"),
        "it reads N at several indices");
    staysAfter(
        producer.replace("range(8)", "range(4)").replace("(8, i)", "(4, i)") + READER,
        "the block first may not write all elements that it reads");
  }

  @Test
  void startsOfReductionsHaveLoopsOfTheirOwn() {
    String diagonal =
        """
        for k in range(8):
            with T.block("first"):
                v = T.axis.spatial(8, k)
                r = T.axis.reduce(8, k)
                with T.init():
                    B[v] = 0
                B[v] = B[v] + M[v, r]
        """;
    Written both = Written.kernel(diagonal);
    refused(
        () -> both.schedule.decomposeReduction("first", both.loop("k")),
        "to start the block first in front of the loop over k is not legal: the loop over k moves"
            + " along the reduction and other axes");
    String corner =
        """
        for i, k in T.grid(8, 8):
            with T.block("first"):
                T.where(i + k < 10)
                v = T.axis.spatial(8, i)
                r = T.axis.reduce(8, k)
                with T.init():
                    B[v] = 0
                B[v] = B[v] + M[v, r]
        """;
    Written condition = Written.kernel(corner);
    refused(
        () -> condition.schedule.decomposeReduction("first", condition.loop("i")),
        "to start the block first in front of the loop over i is not legal: a condition of the"
            + " block depends on the reduction and other axes");
  }

  /** Factors the loop over {@code k}. */
  private static void staysWhole(String statements, String why) {
    Written kernel = Written.kernel(statements);
    refused(
        () -> kernel.schedule.rfactor(kernel.loop("k"), 0),
        "to factor a reduction over the loop over k is not legal: " + why);
  }

  @Test
  void factorsHaveFixedBoundsAndStarts() {
    String sum =
        """
        for i in range(8):
            for k in range(8):
                with T.block("first"):
                    v = T.axis.spatial(8, i)
                    r = T.axis.reduce(8, k)
                    with T.init():
                        B[v] = 0
                    B[v] = B[v] + M[v, r]
        """;
    String bounds = "the bounds of the loop over k must be int64 and not depend on other loops";
    staysWhole(sum.replace("k in range(8)", "k in range(i + 1)"), bounds);
    staysWhole(
        sum.replace("k in range(8)", "k in range(T.int32(8))")
            .replace("(8, k)", "(8, T.Cast(\"int64\", k))"),
        bounds);
    staysWhole(
        sum.replace("B[v] = 0", "B[v] = r"),
        "what starts the block first depends on where the reduction is");
    staysWhole(
        sum.replace(
            "v = T.axis.spatial(8, i)",
            "v = T.axis.spatial(8, i)\n            " + "o = T.axis.opaque(8, i)"),
        "points of the block first must follow each other in order");
  }
}
