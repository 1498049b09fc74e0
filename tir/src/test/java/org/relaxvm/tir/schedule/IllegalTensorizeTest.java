package org.relaxvm.tir.schedule;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.tir.analysis.TensorIntrinsic;
import org.relaxvm.tir.text.TirText;

/** Nests that are not what a description says, or cannot become one block. */
class IllegalTensorizeTest {
  private static final String COPY = "Y[k] = X[k]";

  /** The operation that runs a statement for {@code k} below 4. */
  private static TensorIntrinsic operation(String statement) {
    return described(
        """
        @T.prim_func(private=True)
        def g(X: T.Buffer((4,), "int64", strides=(s,), elem_offset=o),
              Y: T.Buffer((4,), "int64", strides=(t,), elem_offset=p)):
            s = T.int64()
            o = T.int64()
            t = T.int64()
            p = T.int64()
            for k in range(4):
                %s
        """
            .formatted(statement));
  }

  private static TensorIntrinsic described(String text) {
    return new TensorIntrinsic("g", TirText.parse(text, "g").getFirst());
  }

  /** Tensorizes the loop over {@code t}. */
  private static void refused(TensorIntrinsic operation, String statements, String why) {
    Written kernel = Written.kernel(statements);
    assertThatThrownBy(() -> kernel.schedule.tensorize(kernel.loop("t"), operation))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage("to tensorize the loop over t by g is not legal: " + why);
  }

  private static String nest(String statement) {
    return """
    for i, t in T.grid(2, 4):
        with T.block("b"):
            v = T.axis.spatial(8, i * 4 + t)
            %s
    """
        .formatted(statement);
  }

  @Test
  void parametersStandForOneTileOfOneBuffer() {
    TensorIntrinsic twice = operation("Y[k] = X[k] + X[k]");
    refused(twice, nest("B[v] = A[v] + C[v]"), "X of the description would be A as well as C");
    refused(
        twice, nest("B[v] = M[0, v] + M[1, v]"), "X of the description would be two tiles of M");
    refused(
        operation("Y[k] = X[k] + 1"),
        nest("B[v] = B[v] + 1"),
        "B, which it writes, would be two parameters");
    refused(
        operation(COPY),
        nest("B[v] = A[7 - v]"),
        "the index of axis 0 of A does not follow the loops as that of X in the description does");
  }

  @Test
  void parametersSayWhatTheyStandFor() {
    refused(
        described(
            """
            @T.prim_func(private=True)
            def g(Y: T.Buffer((4,), "float32")):
                for k in range(4):
                    Y[k] = T.float32(1)
            """),
        nest("B[v] = 1"),
        "B, which would be Y of the description, holds int64 instead of float32");
    refused(
        described(
            """
            @T.prim_func(private=True)
            def g(Y: T.Buffer((2, 4), "int64")):
                for k in range(4):
                    Y[0, k] = 1
            """),
        nest("B[v] = 1"),
        "B, which would be Y of the description, has 1 axis instead of 2 or more");
    refused(
        described(
            """
            @T.prim_func(private=True)
            def g(Y: T.Buffer((n,), "int64")):
                n = T.int64()
                for k in range(4):
                    Y[k] = 1
            """),
        nest("B[v] = 1"),
        "the extent n of the description is that of no loop");
  }

  @Test
  void blocksRunAtAllPointsOfTheNest() {
    refused(
        operation(COPY),
        nest("T.where(i * 4 + t < 7)\n        B[v] = A[v]"),
        "the block b may not run at all points");
    refused(
        operation(COPY),
        nest("E = T.alloc_buffer((8,), \"int64\")\n        B[v] = A[v]"),
        "the block b has memory of its own");
    refused(
        operation("Y[0] = Y[0] + X[k]"),
        """
        for i, t in T.grid(8, 4):
            with T.block("b"):
                v = T.axis.spatial(8, i)
                r = T.axis.reduce(4, t)
                with T.init():
                    B[v] = 0
                B[v] = B[v] + M[v, r]
        """,
        "the block b does not start its reduction where the description does\n  what to do: start"
            + " it in a block of its own (decomposeReduction)");
  }

  @Test
  void nestsBecomeBlocksOfTheirOwn() {
    refused(operation(COPY), "for t in range(4):\n    B[t] = A[t]\n", "there is no block inside");
    refused(
        operation(COPY),
        nest("B[v] = A[v]") + "with T.block(\"b_tensorized\"):\n    C[0] = 1\n",
        "there is a block b_tensorized already");
    refused(
        operation("Y[k] = X[k]"),
        """
        for i in range(8):
            for j in range(i + 1):
                for t in range(4):
                    with T.block("b"):
                        v = T.axis.spatial(8, j)
                        w = T.axis.spatial(4, t)
                        M[v, w] = N[v, w]
        """,
        "the bounds of the loop over j around it depend on the loop over i");
  }
}
