package org.relaxvm.builtins;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.builtins.Failures.assertFails;

import org.assertj.core.data.Offset;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.builtins.fakes.FakeVm;

/** Host functions that models of other formats need: shapes, boxes, bands. */
class ModelBuiltinsTest {
  private final FakeVm vm = new FakeVm();

  private @Nullable Object reshaped(Shape shape, boolean allowsZero, long... target) {
    return vm.call(
            "relax.run.reshaped", shape, Tensor.of(target, Shape.of(target.length)), allowsZero)
        .object();
  }

  @Test
  void aTargetCopiesExtentsAndTakesWhatIsLeft() {
    assertThat(reshaped(Shape.of(2, 6), false, 0, -1, 3)).isEqualTo(Shape.of(2, 2, 3));
    assertThat(reshaped(Shape.of(0, 6), true, 5, 0)).isEqualTo(Shape.of(5, 0));
    assertThat(reshaped(Shape.of(2, 0), false, -1, 7)).isEqualTo(Shape.of(0, 7));
    assertThat(reshaped(Shape.of(), false)).isEqualTo(Shape.of());
  }

  @Test
  void aTargetOfOtherSizeIsRefused() {
    assertRefused(Shape.of(2, 3), "[4, -1]", 4, -1);
    assertRefused(Shape.of(2, 3), "[7]", 7);
    assertRefused(Shape.of(2, 3), "[-1, -1]", -1, -1);
    assertRefused(Shape.of(2, 3), "[-2, -3]", -2, -3);
    assertRefused(Shape.of(2, 0), "[0, 0, -1]", 0, 0, -1);
    assertRefused(Shape.of(2, 3), "[4294967296, 4294967296, 6]", 4_294_967_296L, 4_294_967_296L, 6);
  }

  private void assertRefused(Shape shape, String text, long... target) {
    assertFails(
        ErrorKind.VALUE,
        "cannot reshape a tensor of shape " + shape + " to " + text,
        () -> reshaped(shape, false, target));
  }

  private long[] kept(Tensor boxes, Tensor scores, long most, double overlap, double threshold) {
    return vm.call(
            "relax.run.non_max_suppression",
            boxes,
            scores,
            Tensor.scalar(most),
            Tensor.of(new float[] {(float) overlap}, Shape.of(1)),
            Tensor.of(new float[] {(float) threshold}, Shape.of(1)),
            false)
        .asTensor()
        .toLongArray();
  }

  @Test
  void boxesThatOverlapTooMuchAreDropped() {
    // The second is the lower half of the first, the third is elsewhere with swapped corners.
    Tensor boxes = Tensor.of(new float[] {0, 0, 2, 2, 1, 0, 2, 2, 9, 9, 8, 8}, Shape.of(1, 3, 4));
    Tensor scores = Tensor.of(new float[] {0.5f, 0.9f, 0.5f}, Shape.of(1, 1, 3));
    assertThat(kept(boxes, scores, 3, 0.4, 0)).containsExactly(0, 0, 1, 0, 0, 2);
    assertThat(kept(boxes, scores, 3, 0.5, 0)).containsExactly(0, 0, 1, 0, 0, 0, 0, 0, 2);
    assertThat(kept(boxes, scores, 1, 0.5, 0)).containsExactly(0, 0, 1);
    assertThat(kept(boxes, scores, 3, 0.5, 0.5)).containsExactly(0, 0, 1);
    assertThat(kept(boxes, scores, 0, 0.5, 0)).isEmpty();
  }

  @Test
  void boxesMayBeGivenByTheirCenters() {
    Tensor boxes = Tensor.of(new float[] {1, 1, 2, 2, 1, 1.5f, 2, 1}, Shape.of(1, 2, 4));
    Tensor scores = Tensor.of(new float[] {1, 2}, Shape.of(1, 1, 2));
    Tensor half = Tensor.of(new float[] {0.49f}, Shape.of());
    Tensor zero = Tensor.of(new float[] {0}, Shape.of());
    Tensor all =
        vm.call("relax.run.non_max_suppression", boxes, scores, Tensor.scalar(9L), half, zero, true)
            .asTensor();
    assertThat(all).hasToString("int64[1, 3] on cpu:0");
    assertThat(all.toLongArray()).containsExactly(0, 0, 1);
  }

  @Test
  void scoresMustFitTheBoxes() {
    Tensor boxes = Tensor.zeros(DType.FLOAT32, Shape.of(1, 3, 4));
    Tensor scores = Tensor.zeros(DType.FLOAT32, Shape.of(1, 1, 2));
    assertFails(
        ErrorKind.VALUE,
        "expected boxes [b, n, 4] and scores [b, c, n], but got [1, 3, 4] and [1, 1, 2]",
        () -> kept(boxes, scores, 1, 0, 0));
  }

  @Test
  void bandsAreTriangles() {
    Tensor weights =
        vm.call(
                "relax.run.mel_weight_matrix",
                Tensor.scalar(2L),
                Tensor.scalar(16L),
                Tensor.scalar(8192L),
                Tensor.of(new float[] {0}, Shape.of()),
                Tensor.of(new float[] {4096}, Shape.of()),
                false)
            .asTensor();
    assertThat(weights).hasToString("float32[9, 2] on cpu:0");
    // The edges are the points 0, 0, 2 and 4.
    assertThat(weights.toFloatArray())
        .containsExactly(
            new float[] {1, 0, 0.5f, 0.5f, 0, 1, 0, 0.5f, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
            Offset.offset(1e-6f));
  }

  @Test
  void aSpectrumThatIsTooLargeIsRefused() {
    Tensor zero = Tensor.of(new float[] {0}, Shape.of());
    assertFails(
        ErrorKind.VALUE,
        "expected at most 268435456 weights, but got 1099511627776 bands of 9",
        () ->
            vm.call(
                "relax.run.mel_weight_matrix",
                Tensor.scalar(1L << 40),
                Tensor.scalar(16L),
                Tensor.scalar(8192L),
                zero,
                zero,
                true));
  }
}
