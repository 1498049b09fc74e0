package org.relaxvm.builtins;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.Managed;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/**
 * The {@code relaxvm.list_*} functions: lists whose length is known at run time. A list is a tuple
 * of its elements; no function changes one. A position is an integer or a tensor of one, and counts
 * from the end when it is negative.
 */
final class ListBuiltins {
  private ListBuiltins() {}

  static Map<String, PackedFunc> functions() {
    return Map.of(
        "relaxvm.list_insert", ListBuiltins::insert,
        "relaxvm.list_erase", ListBuiltins::erase,
        "relaxvm.list_at", ListBuiltins::at,
        "relaxvm.list_length", ListBuiltins::length,
        "relaxvm.list_concat", ListBuiltins::concat,
        "relaxvm.host.is_present", ListBuiltins::isPresent);
  }

  private static void insert(CallArgs args, CallResult result) {
    Tuple list = args.tupleAt(0);
    int at =
        args.count() == 2 ? list.size() : position(args, 2, list.size(), list.size(), "inserted");
    List<@Nullable Object> elements = new ArrayList<>(list.fields());
    elements.add(at, args.at(1));
    result.set(Tuple.of(elements.toArray()));
  }

  private static void erase(CallArgs args, CallResult result) {
    Tuple list = args.tupleAt(0);
    int at =
        args.count() == 1
            ? checked(list.size() - 1L, list.size(), list.size() - 1, "erased")
            : position(args, 1, list.size(), list.size() - 1, "erased");
    List<@Nullable Object> elements = new ArrayList<>(list.fields());
    elements.remove(at);
    result.set(Tuple.of(elements.toArray()));
  }

  private static void at(CallArgs args, CallResult result) {
    args.requireCount("relaxvm.list_at(list, position)", 2);
    Tuple list = args.tupleAt(0);
    Object element = list.get(position(args, 1, list.size(), list.size() - 1, "read"));
    Managed.retain(element);
    result.set(element);
  }

  private static void length(CallArgs args, CallResult result) {
    args.requireCount("relaxvm.list_length(list)", 1);
    result.set(Shape.of(args.tupleAt(0).size()));
  }

  private static void isPresent(CallArgs args, CallResult result) {
    args.requireCount("relaxvm.host.is_present(value)", 1);
    result.set(Tensor.of(new boolean[] {!args.isNull(0)}, Shape.of()));
  }

  /** An index from 0 to {@code last}; negative ones count from {@code size}. */
  private static int position(CallArgs args, int argument, int size, int last, String what) {
    long given =
        args.ref(argument) instanceof Tensor tensor
            ? Devices.onHost(args, tensor).toLongArray()[0]
            : args.longAt(argument);
    return checked(given < 0 ? given + size : given, size, last, what);
  }

  private static int checked(long index, int size, int last, String what) {
    if (index < 0 || index > last) {
      throw new CallException(
          ErrorKind.INDEX, "no element can be " + what + " at " + index + " of a list of " + size);
    }
    return (int) index;
  }

  // ---------------------------------------------------------------- tensors of a list

  /** Joins tensors along an axis that they have, or along a new one. */
  private static void concat(CallArgs args, CallResult result) {
    args.requireCount("relaxvm.list_concat(list, axis, is_new_axis)", 3);
    List<Tensor> parts = new ArrayList<>();
    for (Object element : args.tupleAt(0).fields()) {
      if (!(element instanceof Tensor part)) {
        throw new CallException(
            ErrorKind.TYPE, "a list of tensors is joined, but it has another value: " + element);
      }
      parts.add(part);
    }
    if (parts.isEmpty()) {
      throw new CallException(ErrorKind.VALUE, "a list without tensors cannot be joined to one");
    }
    boolean isNewAxis = args.booleanAt(2);
    int rank = parts.getFirst().shape().rank() + (isNewAxis ? 1 : 0);
    long axis = args.longAt(1);
    if (axis < -rank || axis >= rank) {
      throw new CallException(
          ErrorKind.INDEX, "the result has " + rank + " axes, but is joined along axis " + axis);
    }
    result.set(joined(args, parts, (int) (axis < 0 ? axis + rank : axis), isNewAxis));
  }

  private static Tensor joined(CallArgs args, List<Tensor> parts, int axis, boolean isNewAxis) {
    Tensor first = parts.getFirst();
    long extent = 0;
    for (Tensor part : parts) {
      requireFit(first, part, axis, isNewAxis);
      extent += isNewAxis ? 1 : part.shape().dim(axis);
    }
    Tensor target =
        Devices.allocateLike(args, first, shape(first.shape(), axis, extent, isNewAxis));
    long at = 0;
    for (Tensor part : parts) {
      long length = isNewAxis ? 1 : part.shape().dim(axis);
      try (Tensor place = target.slice(axis, at, at + length)) {
        Devices.copyInto(args, part, place);
      }
      at += length;
    }
    return target;
  }

  private static void requireFit(Tensor first, Tensor part, int axis, boolean isNewAxis) {
    long[] a = first.shape().toArray();
    long[] b = part.shape().toArray();
    if (!isNewAxis && axis < b.length && a.length == b.length) {
      b[axis] = a[axis];
    }
    if (!Arrays.equals(a, b) || !first.dtype().equals(part.dtype())) {
      throw new CallException(
          ErrorKind.VALUE,
          "tensors that are joined along axis " + axis + " do not fit: " + first + " and " + part);
    }
  }

  private static Shape shape(Shape part, int axis, long extent, boolean isNewAxis) {
    List<Long> dims = new ArrayList<>(Arrays.stream(part.toArray()).boxed().toList());
    if (isNewAxis) {
      dims.add(axis, extent);
    } else {
      dims.set(axis, extent);
    }
    return Shape.of(dims.stream().mapToLong(Long::longValue).toArray());
  }
}
