package org.relaxvm.integrationtests.programs;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.relaxvm.api.DType;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;

/**
 * The packed functions that programs of the corpus call, once for the evaluator and, where they are
 * no builtins, once for the VM.
 */
final class HostFunctions {
  private HostFunctions() {}

  /** For the evaluator. */
  static Map<String, Function<List<Object>, Object>> forEvaluator() {
    Map<String, Function<List<Object>, Object>> functions = new LinkedHashMap<>();
    functions.put("vm.builtin.copy", args -> args.getFirst());
    functions.put("relaxvm.on_device", args -> args.getFirst());
    functions.put("vm.builtin.make_tuple", args -> new ArrayList<>(args));
    functions.put("relax.run.print", args -> List.of());
    functions.put("relax.run.assert_op", args -> List.of());
    functions.put(
        "relax.run.shape_to_tensor",
        args -> {
          Shape shape = (Shape) args.getFirst();
          return Tensor.of(shape.toArray(), Shape.of(shape.rank()));
        });
    functions.put("relax.run.nonzero", args -> nonzero((Tensor) args.getFirst()));
    functions.put("relax.run.unique", HostFunctions::unique);
    functions.put(
        "corpus.negate",
        args -> {
          negate((Tensor) args.getFirst(), (Tensor) args.get(1));
          return List.of();
        });
    functions.put(
        "corpus.negate_in_place",
        args -> {
          Tensor copy = ((Tensor) args.getFirst()).toHost();
          negate(copy, copy);
          return copy;
        });
    return functions;
  }

  /** For the VM: those that are no builtins. */
  static Map<String, PackedFunc> forVm() {
    return Map.of(
        "corpus.negate",
        (args, result) -> negate(args.tensorAt(0), args.tensorAt(1)),
        "corpus.negate_in_place",
        (args, result) -> {
          Tensor x = args.tensorAt(0);
          negate(x, x);
          result.set(x.newHandle());
        });
  }

  private static void negate(Tensor from, Tensor to) {
    double[] values = from.toDoubleArray();
    for (int i = 0; i < values.length; i++) {
      Elements.put(to, i, -values[i]);
    }
  }

  private static Tensor nonzero(Tensor x) {
    double[] values = x.toDoubleArray();
    int rank = x.shape().rank();
    List<long[]> places = new ArrayList<>();
    for (int i = 0; i < values.length; i++) {
      if (values[i] != 0) {
        long[] place = new long[rank];
        long rest = i;
        for (int axis = rank - 1; axis >= 0; axis--) {
          place[axis] = rest % x.shape().dim(axis);
          rest /= x.shape().dim(axis);
        }
        places.add(place);
      }
    }
    Tensor result = Tensor.zeros(DType.INT64, Shape.of(rank, places.size()));
    for (int axis = 0; axis < rank; axis++) {
      for (int i = 0; i < places.size(); i++) {
        Elements.put(result, (long) axis * places.size() + i, places.get(i)[axis]);
      }
    }
    return result;
  }

  /** Of elements, not of slices. */
  private static Object unique(List<Object> args) {
    Tensor x = (Tensor) args.getFirst();
    double[] values = x.toDoubleArray();
    TreeMap<Double, List<Integer>> found = new TreeMap<>();
    for (int i = 0; i < values.length; i++) {
      found.computeIfAbsent(values[i], value -> new ArrayList<>()).add(i);
    }
    List<Double> distinct = new ArrayList<>(found.keySet());
    Tensor elements = Tensor.zeros(x.dtype(), Shape.of(distinct.size()));
    long[] first = new long[distinct.size()];
    long[] counts = new long[distinct.size()];
    long[] inverse = new long[values.length];
    for (int i = 0; i < distinct.size(); i++) {
      Elements.put(elements, i, distinct.get(i));
      List<Integer> places = found.getOrDefault(distinct.get(i), List.of());
      first[i] = places.getFirst();
      counts[i] = places.size();
      for (int place : places) {
        inverse[place] = i;
      }
    }
    List<Object> all = new ArrayList<>(List.of(elements));
    long[][] others = {first, inverse, counts};
    for (int i = 0; i < others.length; i++) {
      if (args.get(2 + i).equals(true)) {
        all.add(Tensor.of(others[i], Shape.of(others[i].length)));
      }
    }
    return all.size() == 1 ? elements : all;
  }
}
