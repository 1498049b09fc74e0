package org.relaxvm.interoponnx.options;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.vmcore.program.LoadProgress;

/** How a model is imported. Immutable; safe for concurrent use. */
public final class OnnxOptions {
  /** Nothing is changed. */
  public static final OnnxOptions DEFAULT =
      new OnnxOptions(
          Map.of(), Map.of(), Map.of(), List.of(), 16, 8, OnnxLimits.DEFAULT, LoadProgress.NONE);

  private final Map<String, Long> extents;
  private final Map<String, List<Long>> shapes;
  private final Map<String, Tensor> values;
  private final List<String> outputs;
  private final int maxUnroll;
  private final int maxCopies;
  private final OnnxLimits limits;
  private final LoadProgress progress;

  private OnnxOptions(
      Map<String, Long> extents,
      Map<String, List<Long>> shapes,
      Map<String, Tensor> values,
      List<String> outputs,
      int maxUnroll,
      int maxCopies,
      OnnxLimits limits,
      LoadProgress progress) {
    this.extents = Map.copyOf(extents);
    this.shapes = Map.copyOf(shapes);
    this.values = Map.copyOf(values);
    this.outputs = List.copyOf(outputs);
    this.maxUnroll = maxUnroll;
    this.maxCopies = maxCopies;
    this.limits = limits;
    this.progress = progress;
  }

  /** Numbers for symbolic extents, by their names in the model. */
  public Map<String, Long> extents() {
    return extents;
  }

  /** Shapes of inputs that have none, or another one than the model says. */
  public Map<String, List<Long>> shapes() {
    return shapes;
  }

  /** Inputs that become constants; the tensors are borrowed. */
  public Map<String, Tensor> values() {
    return values;
  }

  /** The outputs that are wanted; empty for all of the model. */
  public List<String> outputs() {
    return outputs;
  }

  /** Loops of at most so many iterations are unrolled. */
  public int maxUnroll() {
    return maxUnroll;
  }

  /**
   * Of the rest of a graph at most so many copies are made, where branches give tensors of
   * different numbers of axes.
   */
  public int maxCopies() {
    return maxCopies;
  }

  /** What the model may cost. */
  public OnnxLimits limits() {
    return limits;
  }

  /** Is told how far the model is imported and compiled. */
  public LoadProgress progress() {
    return progress;
  }

  /**
   * Replaces a symbolic extent by a number.
   *
   * @throws CallException a {@code ValueError} when the number is negative
   */
  public OnnxOptions bind(String symbol, long extent) {
    requireNotNegative("the extent '" + symbol + "'", extent);
    return new OnnxOptions(
        with(extents, symbol, extent),
        shapes,
        values,
        outputs,
        maxUnroll,
        maxCopies,
        limits,
        progress);
  }

  /**
   * Gives an input a shape.
   *
   * @throws CallException a {@code ValueError} when an extent is negative
   */
  public OnnxOptions shape(String input, long... dims) {
    for (int axis = 0; axis < dims.length; axis++) {
      requireNotNegative("axis " + axis + " of the input '" + input + "'", dims[axis]);
    }
    List<Long> shape = LongStream.of(dims).boxed().toList();
    return new OnnxOptions(
        extents,
        with(shapes, input, shape),
        values,
        outputs,
        maxUnroll,
        maxCopies,
        limits,
        progress);
  }

  /** Makes an input a constant. The tensor is borrowed as long as the program is used. */
  public OnnxOptions value(String input, Tensor value) {
    return new OnnxOptions(
        extents,
        shapes,
        with(values, input, value),
        outputs,
        maxUnroll,
        maxCopies,
        limits,
        progress);
  }

  /** Leaves out what the named outputs do not need; any value of the graph may be an output. */
  public OnnxOptions withOutputs(List<String> names) {
    return new OnnxOptions(extents, shapes, values, names, maxUnroll, maxCopies, limits, progress);
  }

  /**
   * Unrolls loops of at most so many iterations.
   *
   * @throws CallException a {@code ValueError} when the number is negative
   */
  public OnnxOptions withMaxUnroll(int iterations) {
    requireNotNegative("maxUnroll", iterations);
    return new OnnxOptions(
        extents, shapes, values, outputs, iterations, maxCopies, limits, progress);
  }

  /**
   * Allows so many copies of the rest of a graph, the first one counted.
   *
   * @throws CallException a {@code ValueError} when the number is negative
   */
  public OnnxOptions withMaxCopies(int copies) {
    requireNotNegative("maxCopies", copies);
    return new OnnxOptions(extents, shapes, values, outputs, maxUnroll, copies, limits, progress);
  }

  /** Sets what the model may cost. */
  public OnnxOptions withLimits(OnnxLimits chosen) {
    return new OnnxOptions(
        extents, shapes, values, outputs, maxUnroll, maxCopies, chosen, progress);
  }

  /** Tells a listener how far the model is imported and compiled. */
  public OnnxOptions withProgress(LoadProgress listener) {
    return new OnnxOptions(
        extents, shapes, values, outputs, maxUnroll, maxCopies, limits, listener);
  }

  private static void requireNotNegative(String what, long number) {
    if (number < 0) {
      throw new CallException(
          ErrorKind.VALUE, "malformed option: " + what + " is " + number + "; expected 0 or more");
    }
  }

  private static <T> Map<String, T> with(Map<String, T> map, String key, T value) {
    Map<String, T> result = new LinkedHashMap<>(map);
    result.put(key, value);
    return result;
  }
}
