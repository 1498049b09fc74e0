package org.relaxvm.compiler.op.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.compiler.op.OpCalls.compute;
import static org.relaxvm.compiler.op.OpCalls.floats;
import static org.relaxvm.compiler.op.OpCalls.messageOf;
import static org.relaxvm.compiler.op.OpCalls.symbol;
import static org.relaxvm.compiler.op.OpCalls.tensor;
import static org.relaxvm.compiler.op.OpCalls.textOf;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.tir.op.image.BoxOps.Decoding;

class BoxesTest {
  private static final List<Double> ONES = List.of(1.0, 1.0, 1.0, 1.0);

  private static Call suppress(RelaxVar boxes, RelaxVar scores) {
    return Boxes.allClassNonMaxSuppression(
        boxes, scores, tensor("l", DType.INT64), floats("o"), floats("t"));
  }

  private static Call decode(Decoding options) {
    return Boxes.multiboxTransformLoc(
        floats("c", 1, 2, 2), floats("l", 1, 8), floats("a", 1, 2, 4), options);
  }

  private static List<Tensor> decoded(Decoding options) {
    // Classes of each anchor: scores of a quarter and three quarters, and of a half each.
    float ln3 = (float) Math.log(3);
    Tensor classes = Tensor.of(new float[] {0, 0, ln3, 0}, Shape.of(1, 2, 2));
    float ln2 = (float) Math.log(2);
    Tensor locations = Tensor.of(new float[] {0, 0, 0, 0, 0.5f, 0, ln2, 0}, Shape.of(1, 8));
    Tensor anchors =
        Tensor.of(new float[] {0, 0.2f, 0.4f, 1, 0.5f, 0, 0.9f, 0.5f}, Shape.of(1, 2, 4));
    return compute(decode(options), classes, locations, anchors);
  }

  @Test
  void derivesTheTypes() {
    assertThat(
            textOf(
                Boxes.multiboxTransformLoc(
                    floats("c", symbol("b"), 3, 5),
                    floats("l", symbol("b"), 20),
                    floats("a", 1, 5, 4),
                    new Decoding(false, 0, ONES, true))))
        .isEqualTo(
            "R.Tuple(R.Tensor((b, 5, 4), dtype=\"float32\"),"
                + " R.Tensor((b, 3, 5), dtype=\"float32\"))");
    assertThat(textOf(suppress(floats("b", 2, 5, 4), floats("s", 2, 3, 5))))
        .isEqualTo("R.Tuple(R.Tensor((30, 3), dtype=\"int64\"), R.Tensor((1,), dtype=\"int64\"))");
  }

  @Test
  void refusesWhatIsCertainlyWrong() {
    RelaxVar classes = floats("c", 1, 2, 5);
    assertThat(
            messageOf(
                Call.of(
                    Boxes.MULTIBOX_TRANSFORM_LOC,
                    classes,
                    floats("l", 1, 19),
                    floats("a", 1, 5, 4))))
        .isEqualTo(
            "vision.multibox_transform_loc: the extents of four times axis 2 of cls_pred and axis 1"
                + " of loc_pred must be equal, but are 20 and 19");
    assertThat(
            messageOf(
                Call.of(
                    Boxes.MULTIBOX_TRANSFORM_LOC,
                    List.of(classes, floats("l", 1, 20), floats("a", 1, 5, 4)),
                    Attrs.of("variances", List.of(1.0)))))
        .isEqualTo(
            "vision.multibox_transform_loc: variances must be four numbers, for x, y, width and"
                + " height, but is [1.0]");
    assertThat(messageOf(suppress(floats("b", 2, 5, 4), floats("s", 2, 3, 6))))
        .isEqualTo(
            "vision.all_class_non_max_suppression: the extents of axis 1 of boxes and axis 2 of"
                + " scores must be equal, but are 5 and 6");
    Call other =
        Call.of(
            Boxes.ALL_CLASS_NON_MAX_SUPPRESSION,
            List.of(
                floats("b", 2, 5, 4),
                floats("s", 2, 3, 5),
                tensor("l", DType.INT64),
                floats("o"),
                floats("t")),
            Attrs.of("output_format", "tensorflow"));
    assertThat(messageOf(other))
        .isEqualTo(
            "vision.all_class_non_max_suppression: output_format must be \"onnx\", but is"
                + " \"tensorflow\"");
  }

  @Test
  void predictionsMoveAndGrowAnchors() {
    List<Tensor> results = decoded(new Decoding(false, 0, ONES, true));
    // The second one moves by half of its width to the right, and has twice the width.
    assertThat(results.get(0).toFloatArray())
        .usingComparatorWithPrecision(1e-5f)
        .containsExactly(0.2f, 0, 1, 0.4f, 0, 0.5f, 0.5f, 1.3f);
    assertThat(results.get(1).toFloatArray())
        .usingComparatorWithPrecision(1e-5f)
        .containsExactly(0.25f, 0.5f, 0.75f, 0.5f);
  }

  @Test
  void boxesAreClippedAndLowScoresAreZero() {
    List<Double> still = List.of(0.5, 1.0, 1.0, 1.0);
    List<Tensor> results = decoded(new Decoding(true, 0.3, still, false));
    assertThat(results.get(0).toFloatArray())
        .usingComparatorWithPrecision(1e-5f)
        .containsExactly(0.2f, 0, 1, 0.4f, 0, 0.4f, 0.5f, 1);
    assertThat(results.get(1).toFloatArray())
        .usingComparatorWithPrecision(1e-5f)
        .containsExactly(0, 0, 0.75f, 0.5f);
  }

  private static List<Tensor> chosen(long limit, float overlap, float least) {
    // The second box covers 0.75 of the first; the third is alone; the last has corners exchanged.
    Tensor boxes =
        Tensor.of(
            new float[] {0, 0, 2, 2, 0, 0, 2, 1.5f, 3, 3, 4, 4, 4, 2, 3, 0}, Shape.of(1, 4, 4));
    Tensor scores =
        Tensor.of(new float[] {0.8f, 0.9f, 0.3f, 0.1f, 0.1f, 0.2f, 0.2f, 0.6f}, Shape.of(1, 2, 4));
    return compute(
        suppress(floats("b", 1, 4, 4), floats("s", 1, 2, 4)),
        boxes,
        scores,
        Tensor.scalar(limit),
        Tensor.scalar(overlap),
        Tensor.scalar(least));
  }

  private static List<Integer> boxes(List<Tensor> chosen) {
    long[] rows = chosen.get(0).toLongArray();
    return IntStream.range(0, (int) chosen.get(1).toLongArray()[0])
        .mapToObj(row -> (int) (10 * rows[3 * row + 1] + rows[3 * row + 2]))
        .toList();
  }

  @Test
  void overlappingBoxesAreLeftOut() {
    assertThat(boxes(chosen(9, 0.7f, 0))).containsExactly(1, 2, 3, 13, 11, 12);
    assertThat(boxes(chosen(9, 0.8f, 0))).containsExactly(1, 0, 2, 3, 13, 11, 12, 10);
    // An overlap of the threshold itself is one.
    assertThat(boxes(chosen(9, 0.75f, 0))).containsExactly(1, 2, 3, 13, 11, 12);
    List<Tensor> few = chosen(2, 0.8f, 0.2f);
    assertThat(boxes(few)).containsExactly(1, 0, 13);
    assertThat(few.get(0).toLongArray())
        .containsExactly(0, 0, 1, 0, 0, 0, 0, 1, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    assertThat(boxes(chosen(0, 0.8f, 0))).isEmpty();
  }
}
