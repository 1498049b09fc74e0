package org.relaxvm.tir.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.eval.Evaluator;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.text.TirText;
import org.relaxvm.tir.verify.Verifier;

/** Loops that are cut up, merged and annotated. */
class LoopPartsTest {
  private static void refused(ThrowingCallable primitive, String message) {
    assertThatThrownBy(primitive).isInstanceOf(InvalidProgramException.class).hasMessage(message);
  }

  private static float[] run(PrimFunc kernel, boolean reverse, Shape output, Tensor... inputs) {
    List<Tensor> args = new ArrayList<>(List.of(inputs));
    args.add(Tensor.zeros(DType.FLOAT32, output));
    new Evaluator(name -> Optional.empty(), reverse).run(kernel, args);
    return args.getLast().toFloatArray();
  }

  private static Tensor numbers(long... shape) {
    Shape whole = Shape.of(shape);
    float[] values = new float[(int) whole.elementCount()];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) Math.sin(i * 1.7 + shape.length);
    }
    return Tensor.of(values, whole);
  }

  @ParameterizedTest
  @CsvSource({"0,3", "1,1", "4,5", "7,16", "9,17", "33,2", "5,0"})
  void cutLoopsDoTheSameIterations(int n, int m) {
    PrimFunc kernel = Kernels.matmul(IntImm.of(5));
    Schedule schedule = new Schedule(kernel);
    List<Var> loops = schedule.loops("C");
    schedule.decomposeReduction("C", loops.get(0));
    List<Var> rows = schedule.splitRemainder(loops.get(0), 4);
    List<Var> columns = schedule.splitBlocks(loops.get(1), 8);
    schedule.parallel(rows.get(0));
    schedule.vectorize(columns.get(1));
    PrimFunc scheduled = schedule.function();
    Verifier.verify(scheduled);
    assertThat(Verifier.unprovenLoops(scheduled)).isEmpty();
    assertThat(Verifier.unprovenAccesses(scheduled)).isEmpty();
    assertThat(rows).hasSize(3);
    Tensor a = numbers(n, 5);
    Tensor b = numbers(5, m);
    float[] expected = run(kernel, false, Shape.of(n, m), a, b);
    assertThat(run(scheduled, false, Shape.of(n, m), a, b)).isEqualTo(expected);
    assertThat(run(scheduled, true, Shape.of(n, m), a, b)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"0,3", "1,1", "4,5", "7,16", "3,0"})
  void mergedLoopsDoTheSameIterations(int n, int m) {
    PrimFunc kernel = Kernels.softmax();
    Schedule schedule = new Schedule(kernel);
    Var rows =
        schedule.merge(
            List.of("max_init", "max", "exp", "sum_init", "sum", "Y").stream()
                .map(block -> schedule.loops(block).getFirst())
                .toList());
    assertThat(schedule.loops("Y").getFirst()).isSameAs(rows);
    assertThat(schedule.loops("max").getFirst()).isSameAs(rows);
    schedule.parallel(rows);
    PrimFunc scheduled = schedule.function();
    Verifier.verify(scheduled);
    assertThat(Verifier.unprovenLoops(scheduled)).isEmpty();
    float[] expected = run(kernel, false, Shape.of(n, m), numbers(n, m));
    assertThat(run(scheduled, false, Shape.of(n, m), numbers(n, m))).isEqualTo(expected);
    assertThat(run(scheduled, true, Shape.of(n, m), numbers(n, m))).isEqualTo(expected);
  }

  @Test
  void loopsThatDivideHaveNoRemainder() {
    Schedule schedule = new Schedule(Kernels.matmul(IntImm.of(8)));
    Var depth = schedule.loops("C").get(2);
    refused(
        () -> schedule.splitRemainder(depth, 4),
        "to cut the loop over k0 into groups is not legal: it moves along the reduction of the"
            + " block C, which must be started in front of it first");
    schedule.decomposeReduction("C", depth);
    List<Var> parts = schedule.splitRemainder(depth, 4);
    assertThat(parts).hasSize(2);
    assertThat(schedule.loops("C")).endsWith(parts.get(0), parts.get(1));
  }

  @Test
  void annotationsAreInTheText() {
    Schedule schedule = new Schedule(Kernels.matmul());
    Var rows = schedule.loops("C").getFirst();
    schedule.annotate(rows, "grain", 8L);
    schedule.annotate(rows, "grain", 16L);
    assertThat(TirText.print(schedule.function())).contains("annotations={\"grain\": 16}");
    refused(
        () -> schedule.annotate(rows, "grain", 16),
        "the annotation grain must be a string, long, double or boolean, but is of type Integer");
  }

  @Test
  void refusesToMergeWhatDependsOnLaterIterations() {
    Schedule stencil = new Schedule(Kernels.stencil(DType.FLOAT32));
    List<Var> twice = stencil.loops("twice");
    List<Var> sums = stencil.loops("sums");
    stencil.merge(List.of(twice.get(0), sums.get(0)));
    refused(
        () -> stencil.merge(List.of(twice.get(1), sums.get(1))),
        "to merge the loops over i1, i1 is not legal: the loops over i1 and i1 cannot be shown to"
            + " have the same iterations");
    Schedule reversed = new Schedule(Reversal.kernel());
    refused(
        () -> reversed.merge(List.of(reversed.loops("B").get(0), reversed.loops("C").get(0))),
        "to merge the loops over i0, i0 is not legal: an iteration of the block C may work on an"
            + " element of B that the block B works on in a later iteration");
  }

  @Test
  void refusesToMergeWhatDoesNotFollow() {
    Schedule chain = new Schedule(Kernels.chain());
    Var sum = chain.loops("sum").get(0);
    Var c = chain.loops("C").get(0);
    refused(
        () -> chain.merge(List.of(sum, c)),
        "to merge the loops over i0, i0 is not legal: they do not follow each other with nothing"
            + " between them");
    refused(
        () -> chain.merge(List.of(sum)),
        "to merge the loops over i0 is not legal: name two or more");
    chain.parallel(chain.loops("exp").get(0));
    refused(
        () -> chain.merge(List.of(sum, chain.loops("exp").get(0))),
        "to merge the loops over i0, i0 is not legal: all must be serial, but the loop over i0 is"
            + " parallel");
  }

  @Test
  void refusesToCutIntoNothing() {
    Schedule schedule = new Schedule(Kernels.matmul());
    Var rows = schedule.loops("C").getFirst();
    refused(
        () -> schedule.splitBlocks(rows, 0),
        "to cut the loop over i0 into blocks of 0 is not legal: there must be 1 iteration or more"
            + " in each");
    schedule.splitRemainder(rows, 4);
    Var columns = schedule.loops("C").get(2);
    refused(
        () -> schedule.splitRemainder(schedule.loops("C").get(0), 2),
        "to cut the loop over i0_0 into groups is not legal: there is a block C_rest already");
    schedule.parallel(columns);
    refused(
        () -> schedule.splitBlocks(columns, 2),
        "to cut the loop over i1 into blocks is not legal: it is parallel already: cut it first");
  }
}
