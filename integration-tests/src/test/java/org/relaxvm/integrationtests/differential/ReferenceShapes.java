package org.relaxvm.integrationtests.differential;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Shape;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.integrationtests.differential.ReferenceValues.RefHeap;

/** Lowered symbolic shapes for the second evaluator. Source: docs/spec/builtins.md, section 1. */
final class ReferenceShapes {
  private ReferenceShapes() {}

  static Shape makeShape(List<@Nullable Object> args) {
    long[] dims = new long[(int) ReferenceFunctions.integer(args, 1)];
    for (int i = 0; i < dims.length; i++) {
      dims[i] = make(args, 2 + 2 * i);
    }
    return Shape.of(dims);
  }

  static long makePrimValue(List<@Nullable Object> args) {
    return make(args, 1);
  }

  private static long make(List<@Nullable Object> args, int codeIndex) {
    long code = ReferenceFunctions.integer(args, codeIndex);
    long operand = ReferenceFunctions.integer(args, codeIndex + 1);
    return switch ((int) code) {
      case 0 -> operand;
      case 1 -> heap(args.get(0), operand)[(int) operand];
      default -> throw new ReferenceError(ErrorKind.INTERNAL, "Invalid shape code: " + code);
    };
  }

  static @Nullable Object matchShape(List<@Nullable Object> args) {
    long[] dims =
        switch (args.get(0)) {
          case Shape shape -> shape.toArray();
          case RefHeap heap -> new long[] {heap.slots().length};
          case null, default -> throw ReferenceError.mismatch(0, "ffi.Shape", args.get(0));
        };
    long rank = ReferenceFunctions.integer(args, 2);
    String context = args.getLast() instanceof String text ? text : "";
    if (dims.length != rank) {
      throw new ReferenceError(ErrorKind.RUNTIME, context + " match_cast shape size mismatch.");
    }
    for (int i = 0; i < rank; i++) {
      match(dims[i], args, 3 + 2 * i, context, "shape[" + i + "]");
    }
    return null;
  }

  static @Nullable Object matchPrimValue(List<@Nullable Object> args) {
    match(ReferenceFunctions.integer(args, 0), args, 2, "", "PrimExpr");
    return null;
  }

  private static void match(
      long value, List<@Nullable Object> args, int codeIndex, String context, String what) {
    long code = ReferenceFunctions.integer(args, codeIndex);
    long operand = ReferenceFunctions.integer(args, codeIndex + 1);
    switch ((int) code) {
      case 0 -> require(value == operand, context, what + " mismatch to specified constant.");
      case 1 -> heap(args.get(1), operand)[(int) operand] = value;
      case 2 -> {}
      case 3 ->
          require(
              value == heap(args.get(1), operand)[(int) operand],
              context,
              what + " mismatch to a previous populated value.");
      default -> throw new ReferenceError(ErrorKind.INTERNAL, "Unknown match shape code: " + code);
    }
  }

  private static void require(boolean matches, String context, String text) {
    if (!matches) {
      throw new ReferenceError(ErrorKind.RUNTIME, context + " match_cast error,  " + text);
    }
  }

  private static long[] heap(@Nullable Object value, long slot) {
    if (value == null) {
      throw new ReferenceError(
          ErrorKind.VALUE,
          "slot " + slot + " of the shape heap is needed, but the heap that was passed is null");
    }
    if (!(value instanceof RefHeap heap)) {
      throw new ReferenceError(
          ErrorKind.TYPE, "expected a shape heap, a contiguous int64 tensor of rank 1, but got");
    }
    if (slot < 0 || slot >= heap.slots().length) {
      throw new ReferenceError(
          ErrorKind.INDEX,
          "slot "
              + slot
              + " is outside of the shape heap, which has "
              + heap.slots().length
              + " slots");
    }
    return heap.slots();
  }
}
