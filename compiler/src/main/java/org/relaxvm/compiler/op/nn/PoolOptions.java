package org.relaxvm.compiler.op.nn;

import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * How windows go over data. One number counts for all spatial axes.
 *
 * @param window the extents of a window
 * @param padding one number, one per axis, or all begins and then all ends
 * @param ceilMode whether a last window may lie partly outside
 * @param countIncludePad whether means count padding
 * @param layout such as {@code NHWC}; empty for the plain one
 */
public record PoolOptions(
    List<Long> window,
    List<Long> strides,
    List<Long> padding,
    List<Long> dilation,
    boolean ceilMode,
    boolean countIncludePad,
    Optional<String> layout) {
  /** Copies the lists. */
  public PoolOptions {
    window = List.copyOf(window);
    strides = List.copyOf(strides);
    padding = List.copyOf(padding);
    dilation = List.copyOf(dilation);
  }

  /** Windows at all positions: strides and dilation of 1, no padding, the plain layout. */
  public static PoolOptions of(long... window) {
    return new PoolOptions(
        list(window), List.of(1L), List.of(0L), List.of(1L), false, false, Optional.empty());
  }

  /** With other strides. */
  public PoolOptions withStrides(long... numbers) {
    return new PoolOptions(
        window, list(numbers), padding, dilation, ceilMode, countIncludePad, layout);
  }

  /** With padding. */
  public PoolOptions withPadding(long... numbers) {
    return new PoolOptions(
        window, strides, list(numbers), dilation, ceilMode, countIncludePad, layout);
  }

  /** With holes between the elements of a window. */
  public PoolOptions withDilation(long... numbers) {
    return new PoolOptions(
        window, strides, padding, list(numbers), ceilMode, countIncludePad, layout);
  }

  /** With a last window that may lie partly outside. */
  public PoolOptions withCeilMode() {
    return new PoolOptions(window, strides, padding, dilation, true, countIncludePad, layout);
  }

  /** With means that count padding. */
  public PoolOptions withCountIncludePad() {
    return new PoolOptions(window, strides, padding, dilation, ceilMode, true, layout);
  }

  /** With another layout. */
  public PoolOptions withLayout(String text) {
    return new PoolOptions(
        window, strides, padding, dilation, ceilMode, countIncludePad, Optional.of(text));
  }

  private static List<Long> list(long... numbers) {
    return LongStream.of(numbers).boxed().toList();
  }
}
