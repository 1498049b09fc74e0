package org.relaxvm.tir.op;

import java.util.Collections;
import java.util.List;
import org.relaxvm.tir.op.support.Check;
import org.relaxvm.tir.op.support.Layout;

/**
 * How windows go over data with one to three spatial axes.
 *
 * @param window the extents of a window
 * @param strides one per spatial axis
 * @param padding all begins, then all ends
 * @param dilation one per spatial axis
 * @param ceilMode whether a last window may lie partly outside
 * @param countIncludePad whether means count padding
 * @param layout such as {@code NCHW}
 */
public record PoolAttrs(
    List<Long> window,
    List<Long> strides,
    List<Long> padding,
    List<Long> dilation,
    boolean ceilMode,
    boolean countIncludePad,
    String layout) {
  /** Checks the numbers. */
  public PoolAttrs {
    String op = "pool";
    int spatial = window.size();
    Check.that(spatial >= 1 && spatial <= 3, op, "expected 1 to 3 extents, but got " + window);
    Check.count(op, "strides", strides, spatial);
    Check.count(op, "dilation", dilation, spatial);
    window = List.copyOf(window);
    strides = List.copyOf(strides);
    dilation = List.copyOf(dilation);
    padding = ConvAttrs.pads(op, padding, spatial);
    Check.atLeast(op, "window", window, 1);
    Check.atLeast(op, "strides", strides, 1);
    Check.atLeast(op, "dilation", dilation, 1);
    Check.atLeast(op, "padding", padding, 0);
    Layout.of(op, layout, Layout.data(spatial));
  }

  /** Windows that are adjacent, without padding. */
  public static PoolAttrs of(List<Long> window) {
    int spatial = window.size();
    return new PoolAttrs(
        window,
        window,
        List.of(0L),
        Collections.nCopies(spatial, 1L),
        false,
        false,
        Layout.data(Math.clamp(spatial, 1, 3)));
  }

  /** With other strides, padding and dilation. */
  public PoolAttrs with(List<Long> newStrides, List<Long> newPadding, List<Long> newDilation) {
    return new PoolAttrs(
        window, newStrides, newPadding, newDilation, ceilMode, countIncludePad, layout);
  }

  /** With other rules for what is outside. */
  public PoolAttrs withOutside(boolean newCeilMode, boolean newCountIncludePad) {
    return new PoolAttrs(
        window, strides, padding, dilation, newCeilMode, newCountIncludePad, layout);
  }

  /** With another layout. */
  public PoolAttrs withLayout(String newLayout) {
    return new PoolAttrs(window, strides, padding, dilation, ceilMode, countIncludePad, newLayout);
  }

  /** The number of spatial axes. */
  public int spatial() {
    return window.size();
  }

  /** From the first to after the last element of a window along an axis. */
  long span(int axis) {
    return dilation.get(axis) * (window.get(axis) - 1) + 1;
  }
}
