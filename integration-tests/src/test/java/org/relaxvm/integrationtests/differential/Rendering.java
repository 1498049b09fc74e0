package org.relaxvm.integrationtests.differential;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Closure;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.VmContext;
import org.relaxvm.integrationtests.differential.ReferenceValues.RefClosure;
import org.relaxvm.integrationtests.differential.ReferenceValues.RefContext;
import org.relaxvm.integrationtests.differential.ReferenceValues.RefFunction;
import org.relaxvm.integrationtests.differential.ReferenceValues.RefHeap;
import org.relaxvm.integrationtests.differential.ReferenceValues.RefTuple;

/** Texts of values, the same for equal values of the VM and of the second evaluator. */
final class Rendering {
  // A loop can nest tuples so that their text would double at each step.
  private static final int MOST_DEPTH = 5;

  private Rendering() {}

  static String ofProduct(@Nullable Object value) {
    return ofProduct(value, 0);
  }

  private static String ofProduct(@Nullable Object value, int depth) {
    if (depth > MOST_DEPTH) {
      return "...";
    }
    return switch (value) {
      case Tuple tuple -> "tuple" + ofProduct(tuple.fields(), depth);
      case Closure closure ->
          "closure " + closure.functionName() + ofProduct(closure.bound(), depth);
      case PackedFunc _ -> "function";
      case Tensor tensor -> "heap" + Arrays.toString(tensor.toLongArray());
      case VmContext _ -> "context";
      case null, default -> plain(value);
    };
  }

  private static String ofProduct(List<@Nullable Object> values, int depth) {
    List<String> texts = new ArrayList<>();
    values.forEach(value -> texts.add(ofProduct(value, depth + 1)));
    return texts.toString();
  }

  static String ofReference(@Nullable Object value) {
    return ofReference(value, 0);
  }

  private static String ofReference(@Nullable Object value, int depth) {
    if (depth > MOST_DEPTH) {
      return "...";
    }
    return switch (value) {
      case RefTuple tuple -> "tuple" + ofReference(tuple.fields(), depth);
      case RefClosure closure -> "closure " + closure.name() + ofReference(closure.bound(), depth);
      case RefFunction _ -> "function";
      case RefHeap heap -> "heap" + Arrays.toString(heap.slots());
      case RefContext _ -> "context";
      case null, default -> plain(value);
    };
  }

  private static String ofReference(List<@Nullable Object> values, int depth) {
    List<String> texts = new ArrayList<>();
    values.forEach(value -> texts.add(ofReference(value, depth + 1)));
    return texts.toString();
  }

  private static String plain(@Nullable Object value) {
    return value == null ? "null" : value.getClass().getSimpleName() + " " + value;
  }
}
