package org.relaxvm.compiler.op.nn;

import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.relaxvm.api.DType;

/**
 * How a convolution goes over its data. One number counts for all spatial axes.
 *
 * @param padding one number, one per axis, or all begins and then all ends
 * @param outputPadding of transposed convolutions only: more elements at the ends
 * @param dataLayout such as {@code NHWC}; empty for the plain one
 * @param kernelLayout such as {@code HWIO}; empty for the plain one
 * @param outLayout empty for that of the data
 * @param outDType empty for that of the data
 */
public record ConvOptions(
    List<Long> strides,
    List<Long> padding,
    List<Long> dilation,
    List<Long> outputPadding,
    int groups,
    Optional<String> dataLayout,
    Optional<String> kernelLayout,
    Optional<String> outLayout,
    Optional<DType> outDType) {
  /** Strides and dilation of 1, no padding, one group, plain layouts. */
  public static final ConvOptions DEFAULT =
      new ConvOptions(
          List.of(1L),
          List.of(0L),
          List.of(1L),
          List.of(0L),
          1,
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty());

  /** Copies the lists. */
  public ConvOptions {
    strides = List.copyOf(strides);
    padding = List.copyOf(padding);
    dilation = List.copyOf(dilation);
    outputPadding = List.copyOf(outputPadding);
  }

  /** With other strides. */
  public ConvOptions withStrides(long... numbers) {
    return new ConvOptions(
        list(numbers),
        padding,
        dilation,
        outputPadding,
        groups,
        dataLayout,
        kernelLayout,
        outLayout,
        outDType);
  }

  /** With padding. */
  public ConvOptions withPadding(long... numbers) {
    return new ConvOptions(
        strides,
        list(numbers),
        dilation,
        outputPadding,
        groups,
        dataLayout,
        kernelLayout,
        outLayout,
        outDType);
  }

  /** With holes between the elements of the kernel. */
  public ConvOptions withDilation(long... numbers) {
    return new ConvOptions(
        strides,
        padding,
        list(numbers),
        outputPadding,
        groups,
        dataLayout,
        kernelLayout,
        outLayout,
        outDType);
  }

  /** With more elements at the ends of a transposed convolution. */
  public ConvOptions withOutputPadding(long... numbers) {
    return new ConvOptions(
        strides,
        padding,
        dilation,
        list(numbers),
        groups,
        dataLayout,
        kernelLayout,
        outLayout,
        outDType);
  }

  /** With channels divided into groups. */
  public ConvOptions withGroups(int number) {
    return new ConvOptions(
        strides,
        padding,
        dilation,
        outputPadding,
        number,
        dataLayout,
        kernelLayout,
        outLayout,
        outDType);
  }

  /** With other layouts of data and result, and of the kernel. */
  public ConvOptions withLayouts(String data, String kernel) {
    return new ConvOptions(
        strides,
        padding,
        dilation,
        outputPadding,
        groups,
        Optional.of(data),
        Optional.of(kernel),
        Optional.of(data),
        outDType);
  }

  /** With another layout of the result than of the data. */
  public ConvOptions withOutLayout(String out) {
    return new ConvOptions(
        strides,
        padding,
        dilation,
        outputPadding,
        groups,
        dataLayout,
        kernelLayout,
        Optional.of(out),
        outDType);
  }

  /** With a dtype of the result. */
  public ConvOptions withOutDType(DType dtype) {
    return new ConvOptions(
        strides,
        padding,
        dilation,
        outputPadding,
        groups,
        dataLayout,
        kernelLayout,
        outLayout,
        Optional.of(dtype));
  }

  private static List<Long> list(long... numbers) {
    return LongStream.of(numbers).boxed().toList();
  }
}
