package org.relaxvm.builtins.strings;

import java.util.Arrays;
import java.util.Map;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.StringTensor;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/**
 * The {@code relaxvm.host.*} functions of classifiers and of maps. A map is a tuple of its keys and
 * of its values, each a tensor on one axis or strings as {@link StringTensor} describes them.
 */
public final class MapBuiltins {
  private final BiFunction<CallArgs, Tensor, Tensor> toHost;

  /**
   * Functions without state.
   *
   * @param toHost the tensor, or a copy on the host after the work of a call so far
   */
  public MapBuiltins(BiFunction<CallArgs, Tensor, Tensor> toHost) {
    this.toHost = toHost;
  }

  /** The functions by their names. */
  public Map<String, PackedFunc> functions() {
    return Map.of(
        "relaxvm.host.zip_map", this::zip,
        "relaxvm.host.map_values", this::values,
        "relaxvm.host.coupled_probabilities", this::couple);
  }

  /** A map for each row of a matrix of float32. */
  private void zip(CallArgs args, CallResult result) {
    args.requireCount("relaxvm.host.zip_map(x, keys)", 2);
    Tensor x = toHost.apply(args, args.tensorAt(0));
    int rows = (int) x.shape().dim(0);
    int columns = (int) x.shape().dim(1);
    float[] all = x.toFloatArray();
    Object[] maps = new Object[rows];
    for (int row = 0; row < rows; row++) {
      float[] values = Arrays.copyOfRange(all, row * columns, (row + 1) * columns);
      maps[row] = Tuple.of(args.at(1), Tensor.of(values, Shape.of(columns)));
    }
    result.set(Tuple.ofOwned(maps));
  }

  /** The values of a map for some keys, 0 or empty where it has none: one row. */
  private void values(CallArgs args, CallResult result) {
    args.requireCount("relaxvm.host.map_values(map, keys)", 2);
    Tuple map = args.tupleAt(0);
    if (map.size() != 2) {
      throw new CallException(
          ErrorKind.TYPE, "a map is a tuple of keys and values, but got " + map);
    }
    long[] found = positions(args, map.get(0));
    if (map.get(1) instanceof Tensor given) {
      Tensor values = toHost.apply(args, given);
      Tensor row = Tensor.zeros(values.dtype(), Shape.of(1, found.length));
      for (int i = 0; i < found.length; i++) {
        if (found[i] >= 0) {
          values.slice(0, found[i], found[i] + 1).copyInto(row.slice(1, i, i + 1));
        }
      }
      result.set(row);
      return;
    }
    StringTensor values = StringTensor.of(map.get(1));
    String[] row = new String[found.length];
    for (int i = 0; i < row.length; i++) {
      row[i] = found[i] < 0 ? "" : values.elements().get((int) found[i]);
    }
    result.set(new StringTensor(Shape.of(1, row.length), Arrays.asList(row)).toTuple());
  }

  /** Where a map has each of the wanted keys, or -1. */
  private long[] positions(CallArgs args, @Nullable Object keys) {
    if (args.ref(1) instanceof Tensor wanted) {
      if (!(keys instanceof Tensor given)) {
        throw new CallException(
            ErrorKind.TYPE, "the keys of a map are strings, but integers are looked up");
      }
      return Lookup.positions(
          toHost.apply(args, wanted).toLongArray(), toHost.apply(args, given).toLongArray());
    }
    return Lookup.positions(
        StringTensor.of(args.at(1)).elements(), StringTensor.of(keys).elements());
  }

  private void couple(CallArgs args, CallResult result) {
    args.requireCount("relaxvm.host.coupled_probabilities(pairs, classes)", 2);
    Tensor pairs = toHost.apply(args, args.tensorAt(0));
    int classes = args.intAt(1);
    int rows = (int) pairs.shape().dim(0);
    int width = (int) pairs.shape().dim(1);
    double[] all = pairs.toDoubleArray();
    double[] probabilities = new double[rows * classes];
    for (int row = 0; row < rows; row++) {
      double[] ofRow =
          Coupling.ofPairs(Arrays.copyOfRange(all, row * width, (row + 1) * width), classes);
      System.arraycopy(ofRow, 0, probabilities, row * classes, classes);
    }
    result.set(Tensor.of(probabilities, Shape.of(rows, classes)));
  }
}
