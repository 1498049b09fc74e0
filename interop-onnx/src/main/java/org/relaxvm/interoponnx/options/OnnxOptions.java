package org.relaxvm.interoponnx.options;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.relaxvm.api.Tensor;
import org.relaxvm.vmcore.program.LoadProgress;

/**
 * How a model is imported. Immutable.
 *
 * @param extents numbers for symbolic extents, by their names in the model
 * @param shapes shapes of inputs that have none, or another one than the model says
 * @param values inputs that become constants
 * @param outputs the outputs that are wanted; empty for all of the model
 * @param maxUnroll loops of at most so many iterations are unrolled
 * @param maxCopies of the rest of a graph at most, where branches give tensors of different numbers
 *     of axes
 * @param limits what the model may cost
 * @param progress is told how far the model is imported and compiled
 */
public record OnnxOptions(
    Map<String, Long> extents,
    Map<String, List<Long>> shapes,
    Map<String, Tensor> values,
    List<String> outputs,
    int maxUnroll,
    int maxCopies,
    OnnxLimits limits,
    LoadProgress progress) {
  /** Nothing is changed. */
  public static final OnnxOptions DEFAULT =
      new OnnxOptions(
          Map.of(), Map.of(), Map.of(), List.of(), 16, 8, OnnxLimits.DEFAULT, LoadProgress.NONE);

  /** Copies the collections. */
  public OnnxOptions {
    extents = Map.copyOf(extents);
    shapes = Map.copyOf(shapes);
    values = Map.copyOf(values);
    outputs = List.copyOf(outputs);
  }

  /** Replaces a symbolic extent by a number. */
  public OnnxOptions bind(String symbol, long extent) {
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

  /** Gives an input a shape. */
  public OnnxOptions shape(String input, long... dims) {
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

  /** Unrolls loops of at most so many iterations. */
  public OnnxOptions withMaxUnroll(int iterations) {
    return new OnnxOptions(
        extents, shapes, values, outputs, iterations, maxCopies, limits, progress);
  }

  /** Allows so many copies of the rest of a graph. */
  public OnnxOptions withMaxCopies(int copies) {
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

  private static <T> Map<String, T> with(Map<String, T> map, String key, T value) {
    Map<String, T> result = new LinkedHashMap<>(map);
    result.put(key, value);
    return result;
  }
}
