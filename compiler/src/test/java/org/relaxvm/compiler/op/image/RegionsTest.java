package org.relaxvm.compiler.op.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.compiler.op.OpCalls.compute;
import static org.relaxvm.compiler.op.OpCalls.floats;
import static org.relaxvm.compiler.op.OpCalls.messageOf;
import static org.relaxvm.compiler.op.OpCalls.symbol;
import static org.relaxvm.compiler.op.OpCalls.textOf;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.tir.op.image.RegionAttrs;
import org.relaxvm.tir.op.image.RegionAttrs.Mode;

class RegionsTest {
  private static final Attrs TWO = Attrs.of("pooled_size", List.of(2)).with("spatial_scale", 1.0);

  private static Call call(RelaxVar data, RelaxVar regions, Attrs attrs) {
    return Call.of(Regions.ROI_ALIGN, List.of(data, regions), attrs);
  }

  /** An image whose elements are the sum of ten times the row and of the column. */
  private static Tensor image() {
    float[] elements = new float[64];
    for (int i = 0; i < elements.length; i++) {
      elements[i] = i / 8 * 10 + i % 8;
    }
    return Tensor.of(elements, Shape.of(1, 1, 8, 8));
  }

  private static float[] pool(RegionAttrs attrs, float... region) {
    Call call = Regions.roiAlign(floats("x", 1, 1, 8, 8), floats("r", 1, 5), attrs);
    return compute(call, image(), Tensor.of(region, Shape.of(1, 5))).getFirst().toFloatArray();
  }

  private static RegionAttrs attrs(long samples, boolean isAligned, Mode mode) {
    return new RegionAttrs(List.of(2L, 2L), 1, samples, isAligned, "NCHW", mode);
  }

  @Test
  void derivesTheType() {
    assertThat(textOf(call(floats("x", 1, 3, 8, 9), floats("r", symbol("n"), 5), TWO)))
        .isEqualTo("R.Tensor((n, 3, 2, 2), dtype=\"float32\")");
    assertThat(
            textOf(
                call(
                    floats("x", 1, 8, 9, 3),
                    floats("r", 4, 5),
                    TWO.with("layout", "NHWC").with("pooled_size", List.of(2, 3)))))
        .isEqualTo("R.Tensor((4, 2, 3, 3), dtype=\"float32\")");
  }

  @Test
  void refusesWhatIsCertainlyWrong() {
    RelaxVar x = floats("x", 1, 3, 8, 9);
    RelaxVar r = floats("r", 4, 5);
    assertThat(messageOf(call(x, floats("r", 4, 4), TWO)))
        .isEqualTo(
            "vision.roi_align: the extents of axis 1 of rois and a region must be equal, but are 4"
                + " and 5");
    assertThat(messageOf(call(x, r, TWO.with("pooled_size", List.of(2, 0)))))
        .isEqualTo(
            "vision.roi_align: pooled_size must be one or two numbers from 1 on, but is [2, 0]");
    assertThat(messageOf(call(x, r, TWO.with("mode", "min"))))
        .isEqualTo("vision.roi_align: mode must be one of avg, max, max_neighbor, but is \"min\"");
    assertThat(messageOf(call(x, r, Attrs.of("pooled_size", List.of(2)))))
        .isEqualTo("vision.roi_align: the attribute spatial_scale must be given: a number");
  }

  @Test
  void binsHaveTheMeanOfTheirSamples() {
    // Columns 1 to 5, rows 2 to 6: samples at 1.5, 2.5, 3.5, 4.5 and at 2.5, 3.5, 4.5, 5.5.
    float[] expected = {32, 34, 52, 54};
    assertThat(pool(attrs(2, false, Mode.AVG), 0, 1, 2, 5, 6))
        .usingComparatorWithPrecision(1e-4f)
        .containsExactly(expected);
    assertThat(pool(attrs(0, false, Mode.AVG), 0, 1, 2, 5, 6))
        .usingComparatorWithPrecision(1e-4f)
        .containsExactly(expected);
    assertThat(pool(attrs(2, false, Mode.MAX), 0, 1, 2, 5, 6))
        .usingComparatorWithPrecision(1e-4f)
        .containsExactly(37.5f, 39.5f, 57.5f, 59.5f);
  }

  @Test
  void binsHaveTheLargestWeightedNeighborOrNothing() {
    // A quarter of the last neighbor of the last sample of each bin.
    assertThat(pool(attrs(2, false, Mode.MAX_NEIGHBOR), 0, 1, 2, 5, 6))
        .usingComparatorWithPrecision(1e-4f)
        .containsExactly(10.75f, 11.25f, 15.75f, 16.25f);
    // An aligned region without extent has no samples.
    assertThat(pool(attrs(0, true, Mode.MAX_NEIGHBOR), 0, 3, 3, 3, 3)).containsExactly(0, 0, 0, 0);
  }

  @Test
  void binsHaveTheirLargestElement() {
    Call call = Regions.roiPool(floats("x", 1, 1, 8, 8), floats("r", 1, 5), List.of(2L, 1L), 0.5);
    assertThat(textOf(call)).isEqualTo("R.Tensor((1, 1, 2, 1), dtype=\"float32\")");
    // Columns 1 to 3, rows 2 to 4: rows 2 and 3, then 3 and 4.
    Tensor region = Tensor.of(new float[] {0, 2, 4, 6, 8}, Shape.of(1, 5));
    assertThat(compute(call, image(), region).getFirst().toFloatArray()).containsExactly(33, 43);
    assertThat(
            messageOf(
                Call.of(
                    Regions.ROI_POOL,
                    List.of(floats("x", 1, 1, 8, 8), floats("r", 1, 5)),
                    TWO.with("layout", "NHWC"))))
        .isEqualTo("vision.roi_pool: layout must be NCHW, but is \"NHWC\"");
  }

  @Test
  void smallRegionsHaveTheExtentOfAnElementUnlessTheyAreAligned() {
    // One sample in each bin: of a region of one element, and of one of a half.
    assertThat(pool(attrs(1, false, Mode.AVG), 0, 2, 3, 2.5f, 3.5f))
        .usingComparatorWithPrecision(1e-4f)
        .containsExactly(34.75f, 35.25f, 39.75f, 40.25f);
    assertThat(pool(attrs(1, true, Mode.AVG), 0, 2, 3, 2.5f, 3.5f))
        .usingComparatorWithPrecision(1e-4f)
        .containsExactly(33.375f, 33.625f, 35.875f, 36.125f);
  }

  @Test
  void samplesOutsideOfTheImagesAreZero() {
    assertThat(pool(attrs(1, false, Mode.AVG), 0, -9, -9, -5, -5)).containsExactly(0, 0, 0, 0);
    assertThat(pool(attrs(1, false, Mode.AVG), 3, 1, 2, 5, 6)).containsExactly(0, 0, 0, 0);
    assertThat(pool(attrs(1, false, Mode.AVG), -1, 1, 2, 5, 6)).containsExactly(0, 0, 0, 0);
  }
}
