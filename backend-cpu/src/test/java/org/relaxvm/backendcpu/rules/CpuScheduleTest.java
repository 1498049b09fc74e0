package org.relaxvm.backendcpu.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.eval.Evaluator;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.text.TirText;
import org.relaxvm.tir.verify.Verifier;

/**
 * Kernels scheduled by each rule compute the same bit by bit, and are the text that was approved.
 * {@code -Drelaxvm.updateDocuments=true} writes that text anew.
 */
class CpuScheduleTest {
  private static final Path APPROVED = Path.of("src/test/resources/schedules");
  private static final long[][] EXTENTS = {
    {0, 3, 5}, {3, 0, 2}, {1, 1, 1}, {2, 3, 0}, {4, 8, 16}, {5, 37, 9}, {9, 33, 65}, {13, 2, 34}
  };

  /** A kernel and the text it is approved as. */
  record Case(String name, PrimFunc kernel) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Case> kernels() {
    Var n = Var.index("n");
    Var m = Var.index("m");
    return Stream.of(
        new Case("elementwise", RuleKernels.elementwise(List.of(n, m))),
        new Case(
            "elementwise_static", RuleKernels.elementwise(List.of(IntImm.of(3), IntImm.of(17)))),
        new Case(
            "elementwise_large", RuleKernels.elementwise(List.of(IntImm.of(5), IntImm.of(4099)))),
        new Case("broadcast", RuleKernels.broadcast()),
        new Case("transpose", RuleKernels.transpose(n)),
        new Case("transpose_few", RuleKernels.transpose(IntImm.of(3))),
        new Case("transpose_matrix", RuleKernels.transposeMatrix()),
        new Case("row_sum", RuleKernels.rowSum()),
        new Case("maximum", RuleKernels.maximum()),
        new Case("column_sum", RuleKernels.columnSum(n, m)),
        new Case("column_sum_static", RuleKernels.columnSum(IntImm.of(19), IntImm.of(1030))),
        new Case("column_sum_short", RuleKernels.columnSum(IntImm.of(3), m)),
        new Case("matmul", RuleKernels.matmul(n, m, Var.index("k"))),
        new Case("matmul_static", RuleKernels.matmul(IntImm.of(8), IntImm.of(5), IntImm.of(9))),
        new Case("matmul_one_row", RuleKernels.matmul(IntImm.of(1), m, n)),
        new Case("batch_matmul", RuleKernels.batchMatmul()),
        new Case("softmax", RuleKernels.softmax(false)),
        new Case("log_softmax", RuleKernels.softmax(true)),
        new Case("layer_norm", RuleKernels.layerNorm()),
        new Case("group_norm", RuleKernels.groupNorm()),
        new Case("gather", RuleKernels.gather()),
        new Case("lookup", RuleKernels.lookup()),
        new Case("pad", RuleKernels.pad()),
        new Case("windows", RuleKernels.windows()),
        new Case("argmax", RuleKernels.argmax()),
        new Case("reversed", RuleKernels.reversed()),
        new Case("concat", RuleKernels.concat()),
        new Case("concat_rows", RuleKernels.concatRows()),
        new Case("choices", RuleKernels.choices()),
        new Case("batches_of_one_row", RuleKernels.batchesOfOneRow()),
        new Case("scores", RuleKernels.scores()),
        new Case("pool", RuleKernels.pool()));
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void computesTheSame(Case each) {
    PrimFunc kernel = each.kernel();
    PrimFunc scheduled = CpuSchedule.of(kernel).kernel();
    Verifier.verify(scheduled);
    assertThat(Verifier.unprovenLoops(scheduled)).isEmpty();
    for (long[] extents : EXTENTS) {
      float[] expected = run(kernel, extents, false);
      assertThat(run(scheduled, extents, false)).isEqualTo(expected);
      assertThat(run(scheduled, extents, true)).isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void isTheApprovedText(Case each) throws IOException {
    String text = TirText.print(CpuSchedule.of(each.kernel()).kernel());
    Path file = APPROVED.resolve(each.name() + ".tir");
    if (Boolean.getBoolean("relaxvm.updateDocuments")) {
      Files.createDirectories(APPROVED);
      Files.writeString(file, text);
    }
    assertThat(file).as("-Drelaxvm.updateDocuments=true writes it anew").hasContent(text);
  }

  @Test
  void leavesWhatIsScheduled() {
    PrimFunc kernel = RuleKernels.transpose(Var.index("b"));
    PrimFunc own = kernel.withAttrs(Map.of(Notes.SCHEDULED, true));
    assertThat(CpuSchedule.of(own).kernel()).isSameAs(own);
    PrimFunc scheduled = CpuSchedule.of(kernel.withAttrs(Map.of("op", "transpose"))).kernel();
    assertThat(scheduled.attrs()).containsEntry("op", "transpose").containsEntry("scheduled", true);
    assertThat(CpuSchedule.of(scheduled).kernel()).isSameAs(scheduled);
  }

  /** What a kernel writes into its last argument. */
  private static float[] run(PrimFunc kernel, long[] extents, boolean reverse) {
    Map<Var, Long> known = new HashMap<>();
    List<Tensor> args = new ArrayList<>();
    for (Buffer buffer : kernel.buffers()) {
      long[] shape =
          buffer.shape().stream().mapToLong(extent -> value(extent, known, extents)).toArray();
      args.add(numbers(buffer.dtype(), Shape.of(shape), args.size()));
    }
    Tensor last = args.getLast();
    args.set(args.size() - 1, Tensor.zeros(last.dtype(), last.shape()));
    new Evaluator(name -> Optional.empty(), reverse).run(kernel, args);
    return args.getLast().toFloatArray();
  }

  private static long value(PrimExpr extent, Map<Var, Long> known, long[] extents) {
    return switch (extent) {
      case IntImm imm -> imm.value();
      case Var var -> known.computeIfAbsent(var, v -> extents[known.size() % extents.length]);
      case Binary binary -> {
        long a = value(binary.a(), known, extents);
        long b = value(binary.b(), known, extents);
        yield switch (binary.op()) {
          case ADD -> a + b;
          case MUL -> a * b;
          default -> throw new AssertionError(binary);
        };
      }
      default -> throw new AssertionError(extent);
    };
  }

  private static Tensor numbers(DType dtype, Shape shape, int seed) {
    int count = (int) shape.elementCount();
    if (dtype.equals(DType.INT64)) {
      long[] values = new long[count];
      for (int i = 0; i < count; i++) {
        values[i] = (i * 7L + seed) % 5;
      }
      return Tensor.of(values, shape);
    }
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = (float) Math.sin(i * 1.7 + seed);
    }
    return Tensor.of(values, shape);
  }
}
