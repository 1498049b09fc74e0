package org.relaxvm.integrationtests.differential;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.integrationtests.differential.ReferenceValues.RefClosure;
import org.relaxvm.integrationtests.differential.ReferenceValues.RefHeap;
import org.relaxvm.integrationtests.differential.ReferenceValues.RefTuple;

/**
 * Packed functions of generated programs for the second evaluator. Source: docs/spec/builtins.md.
 */
final class ReferenceFunctions {
  private final ReferenceVm vm;
  private final List<String> calls = new ArrayList<>();

  ReferenceFunctions(ReferenceVm vm) {
    this.vm = vm;
  }

  List<String> calls() {
    return calls;
  }

  @Nullable Object call(String name, List<@Nullable Object> args) {
    return switch (name) {
      case "vm.builtin.copy" -> args.get(0);
      case "vm.builtin.null_value" -> null;
      case "vm.builtin.make_tuple" -> new RefTuple(args);
      case "vm.builtin.tuple_getitem" -> field(args);
      case "vm.builtin.read_if_cond" -> condition(args.get(0));
      case "vm.builtin.make_closure" -> closure(args);
      case "vm.builtin.invoke_closure" -> vm.invoke(args.get(1), args.subList(2, args.size()));
      case "vm.builtin.alloc_shape_heap" -> new RefHeap(new long[(int) integer(args, 1)]);
      case "vm.builtin.make_shape" -> ReferenceShapes.makeShape(args);
      case "vm.builtin.match_shape" -> ReferenceShapes.matchShape(args);
      case "vm.builtin.make_prim_value" -> ReferenceShapes.makePrimValue(args);
      case "vm.builtin.match_prim_value" -> ReferenceShapes.matchPrimValue(args);
      default -> host(name, args);
    };
  }

  private @Nullable Object host(String name, List<@Nullable Object> args) {
    List<String> texts = new ArrayList<>();
    args.forEach(value -> texts.add(Rendering.ofReference(value)));
    calls.add(name + texts);
    if (name.equals("host.record")) {
      return null;
    }
    long left = integer(args, 0);
    long right = integer(args, 1);
    switch (name) {
      case "host.add" -> {
        return left + right;
      }
      case "host.less" -> {
        return left < right;
      }
      case "host.divide" -> {
        if (right == 0) {
          throw new ReferenceError(
              ErrorKind.RUNTIME, "host.divide failed: java.lang.ArithmeticException: / by zero");
        }
        return left / right;
      }
      default -> throw new IllegalArgumentException(name);
    }
  }

  private static @Nullable Object field(List<@Nullable Object> args) {
    if (!(args.get(0) instanceof RefTuple tuple)) {
      throw ReferenceError.mismatch(0, "ffi.Array", args.get(0));
    }
    long index = integer(args, 1);
    if (index < 0 || index >= tuple.fields().size()) {
      throw new ReferenceError(
          ErrorKind.INDEX, "Index " + index + " out of bounds " + tuple.fields().size());
    }
    return tuple.fields().get((int) index);
  }

  private static boolean condition(@Nullable Object value) {
    return switch (value) {
      case Long number -> number != 0;
      case Boolean bool -> bool;
      case RefHeap heap -> heap.slots()[0] != 0;
      case null, default -> throw ReferenceError.mismatch(0, "ffi.Tensor", value);
    };
  }

  private static RefClosure closure(List<@Nullable Object> args) {
    if (!(args.get(0) instanceof RefClosure closure)) {
      throw ReferenceError.mismatch(0, "relax.vm.Closure", args.get(0));
    }
    List<@Nullable Object> bound = new ArrayList<>(args.subList(1, args.size()));
    bound.addAll(closure.bound());
    return new RefClosure(closure.name(), closure.function(), bound);
  }

  static long integer(List<@Nullable Object> args, int index) {
    return switch (args.get(index)) {
      case Long number -> number;
      case Boolean bool -> bool ? 1 : 0;
      case null, default -> throw ReferenceError.mismatch(index, "int", args.get(index));
    };
  }
}
