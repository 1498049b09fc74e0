package org.relaxvm.tir.cost;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.kernels.KernelLibrary;
import org.relaxvm.api.kernels.KernelSignature;
import org.relaxvm.tir.cost.CallArgument.OfNumber;
import org.relaxvm.tir.cost.CallArgument.OfTensor;
import org.relaxvm.tir.text.TirText;

class CostModelTest {
  private static final String MATMUL =
      """
      @T.prim_func
      def matmul(A: T.Buffer((m, k), "float32"), B: T.Buffer((k, n), "float32"), C: T.Buffer((m, n), "float32")):
          for i, j, l in T.grid(m, n, k):
              with T.block("C"):
                  vi, vj, vl = T.axis.remap("SSR", [i, j, l])
                  with T.init():
                      C[vi, vj] = T.float32(0)
                  C[vi, vj] = C[vi, vj] + A[vi, vl] * B[vl, vj]
      """;

  private static Cost cost(String kernel, CallArgument... args) {
    return new CostModel(TirText.parse(kernel, "test").getFirst(), new LibraryCost())
        .of(List.of(args));
  }

  private static CallArgument floats(long... dims) {
    return new OfTensor(DType.FLOAT32, Shape.of(dims));
  }

  private static Cost known(long bytes, long operations) {
    return new Cost(OptionalLong.of(bytes), OptionalLong.of(operations));
  }

  @Test
  void aMatmulIsTwoOperationsPerIterationWhateverTheExtents() {
    assertThat(cost(MATMUL, floats(3, 5), floats(5, 7), floats(3, 7)))
        .isEqualTo(known(4 * (15 + 35 + 21), 2 * 3 * 5 * 7));
    assertThat(cost(MATMUL, floats(4096, 4096), floats(4096, 4096), floats(4096, 4096)))
        .isEqualTo(known(3L * 4 * 4096 * 4096, 2L * 4096 * 4096 * 4096));
    assertThat(cost(MATMUL, floats(0, 5), floats(5, 7), floats(0, 7))).isEqualTo(known(0, 0));
  }

  @Test
  void functionsAndTheBranchWithMoreOperationsCountAndIndicesDoNot() {
    assertThat(
            cost(
                """
                @T.prim_func
                def f(A: T.Buffer((n,), "float32"), B: T.Buffer((n * 2,), "float32")):
                    for i in T.serial(n * 2):
                        with T.block("B"):
                            vi = T.axis.spatial(n * 2, i)
                            B[vi] = T.if_then_else(vi < n, T.exp(A[vi % n] * T.float32(2)) + T.float32(1), A[vi % n] - T.float32(1))
                """,
                floats(10), floats(20)))
        .isEqualTo(known(4 * (10 + 20), 20 * 3));
  }

  @Test
  void aKernelThatGathersReadsOnlySomeRows() {
    String gather =
        """
        @T.prim_func
        def take(A: T.Buffer((1000, 8), "float32"), X: T.Buffer((n,), "int64"), B: T.Buffer((n, 8), "float32")):
            for i, j in T.grid(n, T.int64(8)):
                with T.block("B"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    B[vi, vj] = A[X[vi], vj]
        """;
    CallArgument indices = new OfTensor(DType.INT64, Shape.of(4));
    assertThat(cost(gather, floats(1000, 8), indices, floats(4, 8)))
        .isEqualTo(known(4 * 32 + 8 * 4 + 4 * 32, 0));
    CallArgument many = new OfTensor(DType.INT64, Shape.of(5000));
    assertThat(cost(gather, floats(1000, 8), many, floats(5000, 8)))
        .isEqualTo(known(4 * 8000 + 8 * 5000 + 4 * 40_000, 0));
  }

  @Test
  void aLoopInATriangleCountsWithItsMean() {
    assertThat(
            cost(
                """
                @T.prim_func
                def f(A: T.Buffer((n,), "float32"), B: T.Buffer((n,), "float32")):
                    for i in T.serial(n):
                        for j in T.serial(i):
                            B[i] = B[i] + A[j]
                """,
                floats(10),
                floats(10)))
        .isEqualTo(known(4 * (10 + 10 + 10), 45));
  }

  @Test
  void scalarsGiveExtentsAndWhatDependsOnDataIsNotKnown() {
    String scaled =
        """
        @T.prim_func
        def f(A: T.Buffer((10,), "float32"), n: T.int64):
            for i in T.serial(n):
                A[i] = A[i] * T.float32(2)
        """;
    assertThat(cost(scaled, floats(10), new OfNumber(6))).isEqualTo(known(2 * 4 * 6, 6));
    assertThat(cost(scaled, floats(10), new CallArgument.Other())).isEqualTo(Cost.UNKNOWN);
    assertThat(
            cost(
                """
                @T.prim_func
                def f(L: T.Buffer((1,), "int64"), A: T.Buffer((10,), "float32")):
                    for i in T.serial(L[0]):
                        A[i] = T.float32(1)
                """,
                new OfTensor(DType.INT64, Shape.of(1)),
                floats(10)))
        .isEqualTo(new Cost(OptionalLong.empty(), OptionalLong.of(0)));
  }

  @Test
  void otherArgumentsThanThoseOfTheKernelAreUnknown() {
    assertThat(cost(MATMUL, floats(3, 5), floats(5, 7))).isEqualTo(Cost.UNKNOWN);
    assertThat(cost(MATMUL, floats(3, 5), floats(5, 7), floats(21))).isEqualTo(Cost.UNKNOWN);
    assertThat(
            cost(MATMUL, floats(3, 5), floats(5, 7), new OfTensor(DType.FLOAT64, Shape.of(3, 7))))
        .isEqualTo(Cost.UNKNOWN);
  }

  @Test
  void aFunctionOfTheLibraryInsideAKernelCountsAsTheLibrarySays() {
    assertThat(
            cost(
                """
                @T.prim_func
                def f(A: T.Buffer((m, 5), "float32"), B: T.Buffer((5, 7), "float32"), C: T.Buffer((m, 7), "float32")):
                    T.call_packed("relaxvm.add", A, A, A)
                    T.call_packed("unknown", C, B)
                """,
                floats(3, 5),
                floats(5, 7),
                floats(3, 7)))
        .isEqualTo(new Cost(OptionalLong.of(4 * (15 + 35 + 21)), OptionalLong.empty()));
  }

  private static Cost library(String function, CallArgument... args) {
    return new LibraryCost().of(function, new ArrayList<>(List.of(args)));
  }

  @Test
  void functionsOfTheLibraryHaveTheirFormulas() {
    CallArgument none = new CallArgument.Other();
    OfNumber no = new OfNumber(0);
    OfNumber yes = new OfNumber(1);
    assertThat(
            library(
                "relaxvm.matmul",
                floats(2, 3, 5),
                floats(5, 7),
                none,
                no,
                no,
                none,
                floats(2, 3, 7)))
        .isEqualTo(known(4 * (30 + 35 + 42), 2 * 2 * 3 * 5 * 7));
    assertThat(
            library(
                "relaxvm.matmul", floats(5, 3), floats(7, 5), none, yes, yes, none, floats(3, 7)))
        .isEqualTo(known(4 * (15 + 35 + 21), 2 * 3 * 5 * 7));
    // 6 input channels in 2 groups, 4 output channels, windows of 3 x 3, output of 8 x 8.
    assertThat(
            library(
                "relaxvm.conv2d",
                floats(1, 6, 8, 8),
                floats(4, 3, 3, 3),
                none,
                none,
                none,
                none,
                new OfNumber(2),
                none,
                floats(1, 4, 8, 8)))
        .isEqualTo(known(4 * (384 + 108 + 256), 2 * 256 * 27));
    // 2 heads, 5 queries of 8, 9 keys, values of 6.
    assertThat(
            library(
                "relaxvm.attention",
                floats(1, 5, 2, 8),
                floats(1, 9, 2, 8),
                floats(1, 9, 2, 6),
                none,
                none,
                none,
                floats(1, 5, 2, 6)))
        .isEqualTo(known(4 * (80 + 144 + 108 + 60), 2 * 2 * 5 * 9 * (8 + 6)));
    assertThat(library("relaxvm.add", floats(4), floats(1), floats(3, 4)))
        .isEqualTo(known(4 * (4 + 1 + 12), 12));
    assertThat(library("relaxvm.exp", floats(4), floats(4))).isEqualTo(known(32, 4));
  }

  @Test
  void whatHasNoFormulaHasBytesOnlyAndIntegersHaveNoOperationsOnFloats() {
    assertThat(library("relaxvm.softmax", floats(2, 3), new OfNumber(1), floats(2, 3)))
        .isEqualTo(new Cost(OptionalLong.of(48), OptionalLong.empty()));
    assertThat(library("relaxvm.reshape", floats(2, 3), floats(6)))
        .isEqualTo(new Cost(OptionalLong.of(48), OptionalLong.empty()));
    OfTensor integers = new OfTensor(DType.INT32, Shape.of(4));
    assertThat(library("relaxvm.add", integers, integers, integers))
        .isEqualTo(new Cost(OptionalLong.of(48), OptionalLong.empty()));
    assertThat(library("relaxvm.concat", new CallArgument.Other(), no(), floats(6)))
        .isEqualTo(Cost.UNKNOWN);
    assertThat(library("relaxvm.add", floats(4))).isEqualTo(Cost.UNKNOWN);
    assertThat(library("vm.builtin.copy", floats(4), floats(4))).isEqualTo(Cost.UNKNOWN);
  }

  @Test
  void elementwiseFunctionsAreThoseThatTheNameSays() {
    LibraryCost costs = new LibraryCost();
    List<String> counted = new ArrayList<>();
    for (KernelSignature row : KernelLibrary.standard().signatures()) {
      List<CallArgument> args = new ArrayList<>();
      row.arguments().forEach(arg -> args.add(arg.role().isTensor() ? floats(4) : no()));
      if (costs.of(row.name(), args).operations().equals(OptionalLong.of(4))) {
        counted.add(row.name().substring("relaxvm.".length()));
      }
    }
    assertThat(String.join(" ", counted))
        .isEqualTo(
            "add subtract multiply divide maximum minimum power floor_divide mod floor_mod"
                + " logical_and logical_or logical_xor bitwise_and bitwise_or bitwise_xor"
                + " left_shift right_shift equal not_equal less less_equal greater greater_equal"
                + " negative abs exp log sqrt rsqrt tanh sigmoid relu gelu silu erf floor ceil"
                + " round trunc sign square bitwise_not logical_not sin cos tan asin acos atan sinh"
                + " cosh asinh acosh atanh gelu_tanh selu isnan isinf isfinite clip leaky_relu"
                + " softplus");
  }

  private static CallArgument no() {
    return new OfNumber(0);
  }
}
