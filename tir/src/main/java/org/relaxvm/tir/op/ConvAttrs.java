package org.relaxvm.tir.op;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.tir.op.support.Check;
import org.relaxvm.tir.op.support.Layout;

/**
 * How a convolution goes over its data, with one to three spatial axes.
 *
 * @param strides one per spatial axis
 * @param padding all begins, then all ends
 * @param dilation one per spatial axis
 * @param outputPadding of transposed convolutions: more elements at the ends
 * @param dataLayout such as {@code NCHW} or {@code NHWC}, of the result too
 * @param kernelLayout such as {@code OIHW} or {@code HWIO}
 * @param outDType null means that of the data
 */
public record ConvAttrs(
    List<Long> strides,
    List<Long> padding,
    List<Long> dilation,
    List<Long> outputPadding,
    int groups,
    String dataLayout,
    String kernelLayout,
    @Nullable DType outDType) {
  /** Checks the numbers. */
  public ConvAttrs {
    String op = "convolution";
    int spatial = strides.size();
    Check.that(spatial >= 1 && spatial <= 3, op, "expected 1 to 3 strides, but got " + strides);
    strides = List.copyOf(strides);
    padding = pads(op, padding, spatial);
    dilation = List.copyOf(dilation);
    outputPadding = List.copyOf(outputPadding);
    Check.count(op, "dilation", dilation, spatial);
    Check.count(op, "output padding", outputPadding, spatial);
    Check.atLeast(op, "strides", strides, 1);
    Check.atLeast(op, "dilation", dilation, 1);
    Check.atLeast(op, "output padding", outputPadding, 0);
    Check.that(groups >= 1, op, "expected at least 1 group, but got " + groups);
    Layout.of(op, dataLayout, Layout.data(spatial));
    Layout.of(op, kernelLayout, Layout.kernel(spatial));
  }

  /** Strides and dilation of 1, no padding, one group, plain layouts. */
  public static ConvAttrs plain(int spatial) {
    List<Long> ones = Collections.nCopies(spatial, 1L);
    return new ConvAttrs(
        ones,
        List.of(0L),
        ones,
        Collections.nCopies(spatial, 0L),
        1,
        Layout.data(spatial),
        Layout.kernel(spatial),
        null);
  }

  /** With other strides, padding, dilation and number of groups. */
  public ConvAttrs with(
      List<Long> newStrides, List<Long> newPadding, List<Long> newDilation, int newGroups) {
    return new ConvAttrs(
        newStrides,
        newPadding,
        newDilation,
        outputPadding,
        newGroups,
        dataLayout,
        kernelLayout,
        outDType);
  }

  /** With other layouts. */
  public ConvAttrs withLayouts(String data, String kernel) {
    return new ConvAttrs(strides, padding, dilation, outputPadding, groups, data, kernel, outDType);
  }

  /** With more elements at the ends of a transposed convolution. */
  public ConvAttrs withOutputPadding(List<Long> more) {
    return new ConvAttrs(
        strides, padding, dilation, more, groups, dataLayout, kernelLayout, outDType);
  }

  /** With a dtype of the result. */
  public ConvAttrs withOutDType(DType dtype) {
    return new ConvAttrs(
        strides, padding, dilation, outputPadding, groups, dataLayout, kernelLayout, dtype);
  }

  /** The number of spatial axes. */
  public int spatial() {
    return strides.size();
  }

  /** One number for all, one per axis, or all begins and then all ends: as the last one. */
  static List<Long> pads(String op, List<Long> padding, int spatial) {
    Check.that(
        padding.size() == 1 || padding.size() == spatial || padding.size() == 2 * spatial,
        op,
        "expected 1"
            + (spatial == 1 ? "" : ", " + spatial)
            + " or "
            + 2 * spatial
            + " numbers as padding, but got "
            + padding);
    if (padding.size() == 1) {
      return Collections.nCopies(2 * spatial, padding.getFirst());
    }
    if (padding.size() == 2 * spatial) {
      return List.copyOf(padding);
    }
    List<Long> both = new ArrayList<>(padding);
    both.addAll(padding);
    return List.copyOf(both);
  }
}
