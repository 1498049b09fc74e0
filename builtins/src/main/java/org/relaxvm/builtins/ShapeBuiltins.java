package org.relaxvm.builtins;

import java.util.Map;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.VmContext;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/** Lowered symbolic shapes: taking extents apart into the shape heap and making shapes from it. */
final class ShapeBuiltins {
  // What to do with an extent or integer that is matched.
  static final int ASSERT_EQUAL_TO_IMMEDIATE = 0;
  static final int STORE_TO_HEAP = 1;
  static final int NO_OPERATION = 2;
  static final int ASSERT_EQUAL_TO_LOAD = 3;

  // Where an extent or integer that is made comes from.
  static final int USE_IMMEDIATE = 0;
  static final int LOAD_SHAPE = 1;

  private ShapeBuiltins() {}

  static Map<String, PackedFunc> functions() {
    return Map.of(
        "vm.builtin.alloc_shape_heap",
            new WithDirectForms(ShapeBuiltins::allocShapeHeap, DirectMemory::allocShapeHeap),
        "vm.builtin.match_prim_value",
            new WithDirectForms(ShapeBuiltins::matchPrimValue, DirectShapes::matchPrimValue),
        "vm.builtin.match_shape",
            new WithDirectForms(ShapeBuiltins::matchShape, DirectShapes::matchShape),
        "vm.builtin.make_prim_value",
            new WithDirectForms(ShapeBuiltins::makePrimValue, DirectShapes::makePrimValue),
        "vm.builtin.make_shape",
            new WithDirectForms(ShapeBuiltins::makeShape, DirectShapes::makeShape));
  }

  private static void allocShapeHeap(CallArgs args, CallResult result) {
    boolean isEarlierForm = args.count() == 1;
    if (!isEarlierForm) {
      args.requireCount("vm.builtin.alloc_shape_heap(vm, size)", 2);
    }
    VmContext vm = isEarlierForm ? args.context() : args.contextAt(0);
    result.set(ShapeHeap.allocate(vm, args.longAt(isEarlierForm ? 0 : 1)));
  }

  private static void matchPrimValue(CallArgs args, CallResult result) {
    args.requireCount("vm.builtin.match_prim_value(value, heap, code, reg, err_ctx)", 5);
    long value = args.longAt(0);
    long code = args.longAt(2);
    long operand = args.longAt(3);
    if (!match(value, args, 1, code, operand)) {
      throw mismatch(args, 4, "PrimExpr", "the value is " + value, "", code, operand);
    }
  }

  private static void matchShape(CallArgs args, CallResult result) {
    Shape shape = args.ref(0) instanceof Tensor tensor ? tensor.shape() : args.shapeAt(0);
    int rank = count("vm.builtin.match_shape", args, 2);
    int contextIndex = 3 + 2 * rank;
    if (shape.rank() != rank) {
      throw ErrorContext.error(
          ErrorKind.RUNTIME,
          args,
          contextIndex,
          "it has " + dimensions(shape.rank()) + ", expected " + rank + "\n  got: shape " + shape,
          " match_cast shape size mismatch.");
    }
    for (int i = 0; i < rank; i++) {
      long code = args.longAt(3 + 2 * i);
      long operand = args.longAt(4 + 2 * i);
      if (!match(shape.dim(i), args, 1, code, operand)) {
        String problem = "dimension " + i + " is " + shape.dim(i);
        String got = "\n  got: shape " + shape;
        throw mismatch(args, contextIndex, "shape[" + i + "]", problem, got, code, operand);
      }
    }
  }

  private static void makePrimValue(CallArgs args, CallResult result) {
    args.requireCount("vm.builtin.make_prim_value(heap, code, reg)", 3);
    result.setLong(make(args, 0, args.longAt(1), args.longAt(2)));
  }

  private static void makeShape(CallArgs args, CallResult result) {
    int rank = count("vm.builtin.make_shape", args, 1);
    long[] dims = new long[rank];
    for (int i = 0; i < rank; i++) {
      dims[i] = make(args, 0, args.longAt(2 + 2 * i), args.longAt(3 + 2 * i));
    }
    result.set(Shape.ofOwned(dims));
  }

  /** The rank in argument {@code index}, after which as many pairs of code and operand follow. */
  private static int count(String name, CallArgs args, int index) {
    long rank = args.longAt(index);
    if (rank < 0 || rank > (args.count() - index - 1) / 2) {
      throw new CallException(
          ErrorKind.VALUE,
          name
              + " needs a code and an operand for each of "
              + rank
              + " dimensions, but "
              + (args.count() - index - 1)
              + " arguments follow their number");
    }
    return (int) rank;
  }

  private static boolean match(long value, CallArgs args, int heap, long code, long operand) {
    if (code == ASSERT_EQUAL_TO_LOAD) {
      return value == ShapeHeap.load(args.ref(heap), operand);
    }
    if (code == STORE_TO_HEAP) {
      ShapeHeap.store(args.ref(heap), operand, value);
      return true;
    }
    if (code == ASSERT_EQUAL_TO_IMMEDIATE) {
      return value == operand;
    }
    if (code == NO_OPERATION) {
      return true;
    }
    throw new CallException(
            ErrorKind.INTERNAL, "shape match code " + code + " is unknown; known are 0 to 3")
        .withTvmMessage("Unknown match shape code: " + code);
  }

  private static long make(CallArgs args, int heap, long code, long operand) {
    if (code == LOAD_SHAPE) {
      return ShapeHeap.load(args.ref(heap), operand);
    }
    if (code == USE_IMMEDIATE) {
      return operand;
    }
    throw new CallException(
            ErrorKind.INTERNAL, "shape code " + code + " is unknown; known are 0 and 1")
        .withTvmMessage("Invalid shape code: " + code);
  }

  private static String dimensions(int rank) {
    return rank == 1 ? "1 dimension" : rank + " dimensions";
  }

  private static CallException mismatch(
      CallArgs args,
      int contextIndex,
      String what,
      String problem,
      String got,
      long code,
      long operand) {
    boolean constant = code == ASSERT_EQUAL_TO_IMMEDIATE;
    long expected = constant ? operand : ShapeHeap.load(args.ref(1), operand);
    return ErrorContext.error(
        ErrorKind.RUNTIME,
        args,
        contextIndex,
        problem
            + ", expected "
            + expected
            + (constant ? "" : ", the value of the same symbol before")
            + got,
        " match_cast error,  "
            + what
            + " mismatch to "
            + (constant ? "specified constant." : "a previous populated value."));
  }
}
