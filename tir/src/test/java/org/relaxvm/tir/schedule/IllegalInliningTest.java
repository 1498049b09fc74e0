package org.relaxvm.tir.schedule;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.tir.expr.MemoryScope;

/** Blocks that are not formulas of elements, or whose results change, and so stay. */
class IllegalInliningTest {
  private static void refused(String statements, String why) {
    assertThatThrownBy(() -> Written.kernel(statements).schedule.inline("first"))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage("to inline the block first is not legal: " + why);
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
  void formulasComputeEachElementOnce() {
    refused(first("opaque", "B[v] = A[v]"), "not all of its axes are spatial");
    refused(
        first("spatial", "B[7 - v] = A[v]"),
        "the indices of B are not its axes, each of them once");
    refused(first("spatial", "B[v] = B[v] + A[v]"), "it reads B, which it writes");
  }

  @Test
  void resultsAndInputsStayAsTheyAre() {
    String formula = first("spatial", "B[v] = A[v]");
    refused(formula + "B[0] = 1\n", "there is another store into B");
    refused(formula + "A[0] = 1\n", "A, which it reads, is written again after it");
    refused(formula + "T.call_packed(\"g\", B)\n", "B is passed to a packed function");
    refused(formula + "T.call_packed(\"g\", A)\n", "A is passed to a packed function");
  }

  @Test
  void copiesAreOfAllThatIsWritten() {
    Written twice =
        Written.kernel(
            first("spatial", "B[v] = A[v]")
                + """
                for j in range(8):
                    with T.block("again"):
                        w = T.axis.spatial(8, j)
                        B[w] = C[w]
                """);
    assertThatThrownBy(
            () -> twice.schedule.cacheWrite("first", twice.buffer("B"), MemoryScope.LOCAL, "copy"))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage(
            "to let the block first write a copy of B is not legal: the block again writes that"
                + " buffer too");
  }
}
