package org.relaxvm.tir.op.image;

import java.util.List;
import org.relaxvm.tir.op.support.Check;
import org.relaxvm.tir.op.support.Layout;

/**
 * How regions of images are pooled.
 *
 * @param size height and width of the result
 * @param scale what coordinates of regions are multiplied by
 * @param samples along each axis of a bin; 0 or less: one for each element of the image
 * @param isAligned whether regions may be smaller than an element
 * @param layout of the data and the result, such as {@code NCHW}
 * @param mode the mean of the samples, or the largest of them or of their neighbors
 */
public record RegionAttrs(
    List<Long> size, double scale, long samples, boolean isAligned, String layout, Mode mode) {
  /** What samples become. */
  public enum Mode {
    /** Their mean. */
    AVG,
    /** The largest one. */
    MAX,
    /** The largest of their four weighted neighbors. ONNX. */
    MAX_NEIGHBOR
  }

  /** Checks the size and the layout. */
  public RegionAttrs {
    size = List.copyOf(size);
    Check.count("roi_align", "size", size, 2);
    Check.atLeast("roi_align", "size", size, 1);
    Layout.of("roi_align", layout, Layout.data(2));
  }
}
