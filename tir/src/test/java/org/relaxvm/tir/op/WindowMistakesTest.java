package org.relaxvm.tir.op;

import static org.relaxvm.tir.op.Mistakes.refused;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.op.image.ResizeAttrs;
import org.relaxvm.tir.op.image.ResizeOps;

/** Convolutions, pools and resizing of images. */
class WindowMistakesTest {
  private static final List<Long> ONE = List.of(1L);
  private static final List<Long> NONE = List.of();

  /** Attributes of a convolution along one axis. */
  private static ConvAttrs attrs(
      List<Long> strides, List<Long> padding, List<Long> dilation, List<Long> more, int groups) {
    return new ConvAttrs(strides, padding, dilation, more, groups, "NCW", "OIW", null);
  }

  private static void conv(ConvArguments arguments, String problem) {
    refused(m -> arguments.make(), "convolution: " + problem);
  }

  private interface ConvArguments {
    ConvAttrs make();
  }

  @Test
  void convolutionsHaveANumberPerAxis() {
    List<Long> zero = List.of(0L);
    conv(() -> attrs(NONE, zero, ONE, zero, 1), "expected 1 to 3 strides, but got []");
    conv(() -> attrs(ONE, NONE, ONE, zero, 1), "expected 1 or 2 numbers as padding, but got []");
    conv(
        () -> twoAxes(List.of(1L, 1L, 1L)),
        "expected 1, 2 or 4 numbers as padding, but got [1, 1, 1]");
    conv(() -> attrs(ONE, zero, NONE, zero, 1), "expected 1 number as dilation, but got []");
    conv(() -> attrs(ONE, zero, ONE, NONE, 1), "expected 1 number as output padding, but got []");
    conv(() -> attrs(zero, zero, ONE, zero, 1), "expected strides of at least 1, but got [0]");
    conv(() -> attrs(ONE, zero, zero, zero, 1), "expected dilation of at least 1, but got [0]");
    conv(
        () -> attrs(ONE, zero, ONE, List.of(-1L), 1),
        "expected output padding of at least 0, but got [-1]");
    conv(() -> attrs(ONE, zero, ONE, zero, 0), "expected at least 1 group, but got 0");
    conv(
        () -> new ConvAttrs(ONE, zero, ONE, zero, 1, "NHW", "OIW", null),
        "the layout NHW is no order of the letters NCW");
    conv(
        () -> new ConvAttrs(ONE, zero, ONE, zero, 1, "NCW", "OIH", null),
        "the layout OIH is no order of the letters OIW");
  }

  private static ConvAttrs twoAxes(List<Long> padding) {
    List<Long> ones = List.of(1L, 1L);
    return new ConvAttrs(ones, padding, ones, List.of(0L, 0L), 1, "NCHW", "OIHW", null);
  }

  @Test
  void weightsOfConvolutionsFit() {
    ConvAttrs plain = ConvAttrs.plain(1);
    String op = "conv1d: ";
    refused(
        m -> ConvOps.conv(m.k, "y", m.bools(1, 2, 4), m.bools(3, 2, 1), plain),
        op + "expected a dtype of numbers for a, but it is bool");
    refused(
        m -> ConvOps.conv(m.k, "y", m.ints(1, 2, 4), m.bools(3, 2, 1), plain),
        op + "expected a dtype of numbers for b, but it is bool");
    refused(
        m -> ConvOps.conv(m.k, "y", m.ints(1, 2, 4), m.floats(3, 2, 1), plain),
        op + "expected one dtype, but a is int64 and b is float32");
    refused(
        m -> ConvOps.conv(m.k, "y", m.ints(2, 4), m.ints(3, 2, 1), plain),
        op + "expected a of rank 3, but its rank is 2");
    refused(
        m -> ConvOps.conv(m.k, "y", m.ints(1, 2, 4), m.ints(2, 1), plain),
        op + "expected b of rank 3, but its rank is 2");
    refused(
        m -> ConvOps.conv(m.k, "y", m.ints(1, 2, 4), m.ints(3, 3, 1), plain),
        op + "the channels of data and weight must be equal, but are 2 and 3");
    ConvAttrs pairs = attrs(ONE, List.of(0L), ONE, List.of(0L), 2);
    refused(
        m -> ConvOps.conv(m.k, "y", m.ints(1, 2, 4), m.ints(3, 1, 1), pairs),
        op + "3 channels cannot be divided into 2 groups");
    ConvAttrs more = attrs(ONE, List.of(0L), ONE, ONE, 1);
    refused(
        m -> ConvOps.convTranspose(m.k, "y", m.ints(1, 2, 4), m.ints(2, 3, 1), more),
        "conv1d_transpose: the output padding [1] must be less than the strides [1]");
    refused(
        m -> ConvOps.convTranspose(m.k, "y", m.ints(1, 2, 4), m.ints(3, 3, 1), plain),
        "conv1d_transpose: the channels of data and weight must be equal, but are 2 and 3");
  }

  private static void pool(
      List<Long> window, List<Long> strides, List<Long> padding, List<Long> dilation, String text) {
    refused(
        m -> new PoolAttrs(window, strides, padding, dilation, false, false, "NCW"),
        "pool: " + text);
  }

  @Test
  void poolsHaveANumberPerAxis() {
    List<Long> zero = List.of(0L);
    pool(NONE, NONE, NONE, NONE, "expected 1 to 3 extents, but got []");
    pool(ONE, NONE, zero, ONE, "expected 1 number as strides, but got []");
    pool(ONE, ONE, zero, NONE, "expected 1 number as dilation, but got []");
    pool(ONE, ONE, NONE, ONE, "expected 1 or 2 numbers as padding, but got []");
    pool(zero, ONE, zero, ONE, "expected window of at least 1, but got [0]");
    pool(ONE, zero, zero, ONE, "expected strides of at least 1, but got [0]");
    pool(ONE, ONE, zero, zero, "expected dilation of at least 1, but got [0]");
    pool(ONE, ONE, List.of(-1L), ONE, "expected padding of at least 0, but got [-1, -1]");
    PoolAttrs plain = PoolAttrs.of(List.of(2L));
    refused(
        m -> PoolOps.maxPool(m.k, "y", m.ints(2, 4), plain),
        "max_pool: expected a of rank 3, but its rank is 2");
    refused(
        m -> PoolOps.maxPool(m.k, "y", m.bools(1, 2, 4), plain),
        "max_pool: expected a dtype of numbers for a, but it is bool");
    refused(
        m -> PoolOps.avgPool(m.k, "y", m.ints(1, 2, 4), plain),
        "avg_pool: expected a float dtype for a, but it is int64");
  }

  @Test
  void resultsHaveAnExtentPerAxis() {
    String pool = "adaptive_avg_pool: ";
    refused(
        m -> PoolOps.adaptiveAvgPool(m.k, "y", m.ints(1, 2, 4), List.of(IntImm.of(2)), "NCW"),
        pool + "expected a float dtype for a, but it is int64");
    refused(
        m -> PoolOps.adaptiveAvgPool(m.k, "y", m.floats(1, 2, 4), List.of(), "NCW"),
        pool + "expected 1 to 3 extents, but got []");
    refused(
        m -> PoolOps.adaptiveAvgPool(m.k, "y", m.floats(2, 4), List.of(IntImm.of(2)), "NCW"),
        pool + "expected a of rank 3, but its rank is 2");
    ResizeAttrs attrs =
        ResizeAttrs.of(
            "NCW", ResizeAttrs.Method.LINEAR, ResizeAttrs.Coordinates.TF_CROP_AND_RESIZE);
    IntImm two = IntImm.of(2);
    refused(
        m -> ResizeOps.resize(m.k, "y", m.bools(1, 2, 4), List.of(two), attrs),
        "resize: expected a dtype of numbers for a, but it is bool");
    refused(
        m -> ResizeOps.resize(m.k, "y", m.floats(1, 2, 4), List.of(two, two, two, two), attrs),
        "resize: expected 1 to 3 extents, but got [2, 2, 2, 2]");
    refused(
        m -> ResizeOps.resize(m.k, "y", m.floats(2, 4), List.of(two), attrs),
        "resize: expected a of rank 3, but its rank is 2");
    refused(
        m -> ResizeOps.resize(m.k, "y", m.floats(1, 2, 4), List.of(two), attrs),
        "resize: expected 2 numbers as roi, but got []");
  }
}
