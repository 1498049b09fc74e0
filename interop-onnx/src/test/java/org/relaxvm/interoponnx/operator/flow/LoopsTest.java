package org.relaxvm.interoponnx.operator.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Message;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Value;
import org.relaxvm.compiler.text.RelaxText;
import org.relaxvm.interoponnx.OnnxModel;
import org.relaxvm.interoponnx.OnnxModels;
import org.relaxvm.interoponnx.Runs;
import org.relaxvm.interoponnx.options.OnnxOptions;
import org.relaxvm.vmcore.vm.Limits;
import org.relaxvm.vmcore.vm.VirtualMachine;

/** Loops: bounds, conditions, carried values, results that are collected. */
class LoopsTest {
  private static final int MILLION = 1_000_000;

  private static Tensor number(long value) {
    return Tensor.scalar(value);
  }

  private static Tensor bool(boolean value) {
    return Tensor.of(new boolean[] {value}, Shape.of());
  }

  private static Tensor floats(float... values) {
    return Tensor.of(values, Shape.of(values.length));
  }

  private static OnnxModels body() {
    return OnnxModels.subgraph().input("i", DType.INT64).input("going", DType.BOOL);
  }

  /** {@code sum += i; part = sum}, as long as the condition of the caller holds. */
  private static Message summing(String condition) {
    return body()
        .input("sum", DType.INT64)
        .initializer("yes", bool(true))
        .initializer("ten", number(10))
        .node("Add", List.of("sum", "i"), List.of("next"))
        .node("Less", List.of("next", "ten"), List.of("small"))
        .node("Identity", List.of("yes"), List.of("always"))
        .node("Identity", List.of("next"), List.of("part"))
        .output(condition, DType.BOOL)
        .output("next", DType.INT64)
        .output("part", DType.INT64)
        .graph();
  }

  private static OnnxModels summed(String count, String going, String condition) {
    return new OnnxModels(13)
        .input("count", DType.INT64)
        .input("goes", DType.BOOL)
        .input("start", DType.INT64)
        .node(
            "Loop",
            List.of(count, going, "start"),
            List.of("sum", "sums"),
            Map.of("body", summing(condition)))
        .output("sum", DType.INT64)
        .output("sums", DType.INT64, "n");
  }

  @ParameterizedTest
  @ValueSource(longs = {-3, 0, 1, 2, 5})
  void theNumberOfIterationsIsComputedAtRunTime(long count) {
    StringBuilder sums = new StringBuilder();
    long sum = 3;
    for (long i = 0; i < count; i++) {
      sum += i;
      sums.append(i == 0 ? "" : ", ").append(sum);
    }
    assertThat(Runs.all(summed("count", "", "always"), number(count), bool(true), number(3)))
        .isEqualTo("(int64[] [%d], int64[%d] [%s])".formatted(sum, Math.max(0, count), sums));
  }

  @Test
  void theConditionEndsTheLoop() {
    assertThat(Runs.all(summed("", "goes", "small"), number(0), bool(true), number(3)))
        .isEqualTo("(int64[] [13], int64[5] [3, 4, 6, 9, 13])");
    assertThat(Runs.all(summed("", "", "small"), number(0), bool(true), number(3)))
        .isEqualTo("(int64[] [13], int64[5] [3, 4, 6, 9, 13])");
    assertThat(Runs.all(summed("", "goes", "small"), number(0), bool(false), number(3)))
        .isEqualTo("(int64[] [3], int64[0] [])");
    assertThat(Runs.all(summed("count", "goes", "always"), number(4), bool(false), number(3)))
        .isEqualTo("(int64[] [3], int64[0] [])");
  }

  @Test
  void boundAndConditionBothEndTheLoop() {
    OnnxModels model = summed("count", "goes", "small");
    assertThat(Runs.all(model, number(2), bool(true), number(3)))
        .isEqualTo("(int64[] [4], int64[2] [3, 4])");
    assertThat(Runs.all(summed("count", "goes", "small"), number(9), bool(true), number(3)))
        .isEqualTo("(int64[] [13], int64[5] [3, 4, 6, 9, 13])");
  }

  @Test
  void aLoopWithoutBoundAndConditionIsRefused() {
    assertThatThrownBy(() -> summed("", "", "always").model().toRelax(OnnxOptions.DEFAULT))
        .hasMessageContaining("the loop has neither a number of iterations nor a condition");
  }

  @Test
  void shortLoopsOfConstantLengthAreUnrolled() {
    OnnxModels model = summed("four", "", "always").initializer("four", number(4));
    OnnxModel built = model.model();
    String unrolled = RelaxText.print(built.toRelax(OnnxOptions.DEFAULT));
    assertThat(unrolled).contains("R.stack").doesNotContain("if ");
    String looped = RelaxText.print(built.toRelax(OnnxOptions.DEFAULT.withMaxUnroll(3)));
    assertThat(looped).contains("if ");
    for (int most : new int[] {3, 4}) {
      assertThat(
              Runs.tensor(
                  built, OnnxOptions.DEFAULT.withMaxUnroll(most), number(0), bool(true), number(3)))
          .isEqualTo("(int64[] [9], int64[4] [3, 4, 6, 9])");
    }
  }

  @Test
  void aMillionIterationsNeedTheMemoryOfOne() {
    OnnxModel model =
        new OnnxModels(13)
            .input("count", DType.INT64)
            .input("start", DType.INT64)
            .node(
                "Loop",
                List.of("count", "", "start"),
                List.of("sum"),
                Map.of(
                    "body",
                    body()
                        .input("sum", DType.INT64)
                        .initializer("two", number(2))
                        .node("Add", List.of("sum", "two"), List.of("next"))
                        .node("Identity", List.of("going"), List.of("goes"))
                        .output("goes", DType.BOOL)
                        .output("next", DType.INT64)
                        .graph()))
            .output("sum", DType.INT64)
            .model();
    Limits limits = Limits.defaults().withMaxDepth(3).withMaxStackBytes(8192);
    try (VirtualMachine vm =
            VirtualMachine.builder(model.compile(OnnxOptions.DEFAULT))
                .device("cpu:0")
                .limits(limits)
                .build();
        Tensor sum = vm.function("main").call(number(MILLION), number(5)).asTensor()) {
      assertThat(sum.toLongArray()).containsExactly(2L * MILLION + 5);
      assertThat(vm.memoryStats().getFirst().deviceAllocations()).isLessThan(20);
    }
  }

  @Test
  void collectedResultsOfManyIterationsNeedTheirOwnMemory() {
    int count = 100_000;
    OnnxModels model =
        new OnnxModels(13)
            .input("count", DType.INT64)
            .input("x", DType.FLOAT32, 3)
            .node(
                "Loop",
                List.of("count", ""),
                List.of("y"),
                Map.of(
                    "body",
                    body()
                        .node("Cast", List.of("i"), List.of("real"), Map.of("to", 1))
                        .node("Mul", List.of("x", "real"), List.of("part"))
                        .node("Identity", List.of("going"), List.of("goes"))
                        .output("goes", DType.BOOL)
                        .output("part", DType.FLOAT32, 3)
                        .graph()))
            .output("y", DType.FLOAT32, "n", 3);
    try (Value result = Runs.call(model, number(count), floats(1, 2, 3));
        Tensor y = result.asTensor()) {
      assertThat(y.shape()).isEqualTo(Shape.of(count, 3));
      assertThat(y.doubleAt(count - 1, 1)).isEqualTo(2.0 * (count - 1));
      assertThat(y.doubleAt(7, 2)).isEqualTo(21);
    }
  }

  @Test
  void aCarriedValueMayGrow() {
    OnnxModels model =
        new OnnxModels(13)
            .input("count", DType.INT64)
            .input("x", DType.FLOAT32, "n")
            .initializer("none", bool(true))
            .node(
                "Loop",
                List.of("count", "none", "x", "x"),
                List.of("y", "same"),
                Map.of(
                    "body",
                    body()
                        .input("held", DType.FLOAT32, "m")
                        .input("fixed", DType.FLOAT32, "n")
                        .node(
                            "Concat", List.of("held", "fixed"), List.of("next"), Map.of("axis", 0))
                        .node("Identity", List.of("fixed"), List.of("kept"))
                        .node("Identity", List.of("going"), List.of("goes"))
                        .output("goes", DType.BOOL)
                        .output("next", DType.FLOAT32, "m")
                        .output("kept", DType.FLOAT32, "n")
                        .graph()))
            .output("y", DType.FLOAT32, "m")
            .output("same", DType.FLOAT32, "n");
    assertThat(Runs.all(model, number(2), floats(1, 2)))
        .isEqualTo("(float32[6] [1.0, 2.0, 1.0, 2.0, 1.0, 2.0], float32[2] [1.0, 2.0])");
    assertThat(Runs.all(model, number(0), floats(4)))
        .isEqualTo("(float32[1] [4.0], float32[1] [4.0])");
  }

  @Test
  void loopsNestAndSeeWhatIsAround() {
    Message inner =
        OnnxModels.subgraph()
            .input("j", DType.INT64)
            .input("inner_going", DType.BOOL)
            .input("inner", DType.FLOAT32, 2)
            .node("Add", List.of("j", "i"), List.of("both"))
            .node("Cast", List.of("both"), List.of("real"), Map.of("to", 1))
            .node("Mul", List.of("w", "real"), List.of("scaled"))
            .node("Add", List.of("inner", "scaled"), List.of("inner_next"))
            .node("Identity", List.of("inner_going"), List.of("inner_goes"))
            .output("inner_goes", DType.BOOL)
            .output("inner_next", DType.FLOAT32, 2)
            .graph();
    OnnxModels model =
        new OnnxModels(13)
            .input("count", DType.INT64)
            .input("x", DType.FLOAT32, 2)
            .initializer("w", floats(1, 10))
            .node(
                "Loop",
                List.of("count", "", "x"),
                List.of("y"),
                Map.of(
                    "body",
                    body()
                        .input("outer", DType.FLOAT32, 2)
                        .node(
                            "Loop",
                            List.of("count", "", "outer"),
                            List.of("next"),
                            Map.of("body", inner))
                        .node("Identity", List.of("going"), List.of("goes"))
                        .output("goes", DType.BOOL)
                        .output("next", DType.FLOAT32, 2)
                        .graph()))
            .output("y", DType.FLOAT32, 2);
    // The sum of i + j over 3 * 3 iterations is 18.
    assertThat(Runs.tensor(model, number(3), floats(0.5f, 0)))
        .isEqualTo("float32[2] [18.5, 180.0]");
  }

  @Test
  void theNumberOfTheIterationIsAnExtent() {
    OnnxModels model =
        new OnnxModels(13)
            .input("count", DType.INT64)
            .input("x", DType.FLOAT32, 4)
            .input("y", DType.FLOAT32, 1)
            .node(
                "Loop",
                List.of("count", "", "y"),
                List.of("z"),
                Map.of(
                    "body",
                    body()
                        .input("held", DType.FLOAT32, "m")
                        .initializer("zero", Tensor.of(new long[] {0}, Shape.of(1)))
                        .node("Unsqueeze", List.of("i", "zero"), List.of("end"))
                        .node("Slice", List.of("x", "zero", "end"), List.of("first"))
                        .node(
                            "Concat", List.of("held", "first"), List.of("next"), Map.of("axis", 0))
                        .node("Identity", List.of("going"), List.of("goes"))
                        .output("goes", DType.BOOL)
                        .output("next", DType.FLOAT32, "m")
                        .graph()))
            .output("z", DType.FLOAT32, "m");
    assertThat(Runs.tensor(model, number(3), floats(1, 2, 3, 4), floats(0)))
        .isEqualTo("float32[4] [0.0, 1.0, 1.0, 2.0]");
  }

  @Test
  void carriedValuesOfOtherDtypesAreRefused() {
    OnnxModels model =
        new OnnxModels(13)
            .input("count", DType.INT64)
            .input("x", DType.FLOAT32, 2)
            .node(
                "Loop",
                List.of("count", "", "x"),
                List.of("y"),
                Map.of(
                    "body",
                    body()
                        .input("held", DType.FLOAT32, 2)
                        .node("Cast", List.of("held"), List.of("next"), Map.of("to", 6))
                        .node("Identity", List.of("going"), List.of("goes"))
                        .output("goes", DType.BOOL)
                        .output("next", DType.INT32, 2)
                        .graph()))
            .output("y", DType.FLOAT32, 2);
    assertThatThrownBy(() -> model.model().toRelax(OnnxOptions.DEFAULT))
        .hasMessageContaining(
            "carried value 0: a value is of float32 in one case, and of int32 else");
  }

  @Test
  void whatIsNotSupportedInABodyIsReportedOnce() {
    OnnxModels model =
        new OnnxModels(13)
            .input("count", DType.INT64)
            .input("x", DType.FLOAT32, 2)
            .node(
                "Loop",
                List.of("count", "", "x"),
                List.of("y"),
                Map.of(
                    "body",
                    body()
                        .input("held", DType.FLOAT32, 2)
                        .node("Nonsense", List.of("held"), List.of("next"))
                        .node("Identity", List.of("going"), List.of("goes"))
                        .output("goes", DType.BOOL)
                        .output("next", DType.FLOAT32, 2)
                        .graph()))
            .node("Neg", List.of("y"), List.of("z"))
            .output("z", DType.FLOAT32, 2);
    assertThatThrownBy(() -> model.model().toRelax(OnnxOptions.DEFAULT))
        .hasMessage(
            """
            test.onnx cannot be imported: 1 problem in 4 nodes
              1 x Nonsense (13), at Loop of 'y'/Nonsense of 'next': the operator is not supported
                what to do: export the model without it, or name outputs that do not need it \
            (--outputs A,B)\
            """);
  }
}
