package org.relaxvm.vmcore.vm;

import java.util.Set;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallEffects;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.DType;
import org.relaxvm.api.Managed;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.VmContext;
import org.relaxvm.api.engine.RegisterMove;
import org.relaxvm.api.memory.DeviceTensors;

/** Functions with known effects that test programs call: tensors of four numbers. */
final class DataflowFunctions {
  static final int LENGTH = 4;

  private DataflowFunctions() {}

  static VmBuilder addTo(VmBuilder builder) {
    return addWithoutContents(builder)
        .function("fill", DataflowFunctions::fill, CallEffects.writing(Set.of(0)))
        .function("sum", DataflowFunctions::sum, CallEffects.writing(Set.of(2)))
        .function(
            "duplicate", duplicate(DataflowFunctions::assign), CallEffects.pure().asAllocation())
        .function("increment", DataflowFunctions::increment, CallEffects.writing(Set.of(0)))
        .function(
            "total",
            (args, result) -> result.setDouble(total(args.tensorAt(0))),
            CallEffects.pure());
  }

  /** Those that do not look into tensors. */
  static VmBuilder addWithoutContents(VmBuilder builder) {
    return builder
        .function("move", move(1))
        .function("kill", move(0))
        .function("alloc", DataflowFunctions::alloc, CallEffects.pure().asAllocation().brief())
        .function(
            "storage",
            DataflowFunctions::storage,
            CallEffects.pure().asAllocation().brief().withoutReads())
        .function(
            "tensor_in",
            (args, result) ->
                result.set(
                    Tensor.view(
                        args.storageAt(0), args.longAt(1), args.dtypeAt(3), args.shapeAt(2))),
            CallEffects.pure().asTensorInStorage().brief().withoutReads())
        .function(
            "view", DataflowFunctions::view, CallEffects.pure().asView().brief().withoutReads())
        .function(
            "pair",
            (args, result) -> result.set(Tuple.of(args.toArray())),
            CallEffects.pure().asView().brief().withoutReads())
        .function(
            "first", DataflowFunctions::first, CallEffects.pure().asView().brief().withoutReads())
        .function(
            "refuse_negative",
            DataflowFunctions::refuseNegative,
            CallEffects.pure().asCheck().brief());
  }

  private static void first(CallArgs args, CallResult result) {
    Object field = args.tupleAt(0).get(0);
    Managed.retain(field);
    result.set(field);
  }

  private static RegisterMove move(int arguments) {
    return new RegisterMove() {
      @Override
      public int argumentCount() {
        return arguments;
      }

      @Override
      public void call(CallArgs args, CallResult result) {
        if (arguments == 1) {
          result.setArgument(args, 0);
        }
      }
    };
  }

  private static void alloc(CallArgs args, CallResult result) {
    VmContext context = args.contextAt(0);
    result.set(
        DeviceTensors.allocate(
            context.allocator(0), DType.FLOAT64, Shape.of(LENGTH), context.stream(0)));
  }

  /**
   * A new tensor with the contents of another.
   *
   * @param assign copies the contents of its second argument into its first
   */
  static PackedFunc duplicate(PackedFunc assign) {
    return (args, result) -> {
      VmContext context = args.context();
      Tensor made =
          DeviceTensors.allocate(
              context.allocator(0), DType.FLOAT64, Shape.of(LENGTH), context.stream(0));
      assign.call(CallArgs.of(context, new Object[] {made, args.tensorAt(0)}), result);
      result.set(made);
    };
  }

  static void assign(CallArgs args, CallResult result) {
    for (int i = 0; i < LENGTH; i++) {
      set(args.tensorAt(0), i, get(args.tensorAt(1), i));
    }
  }

  /** A storage for four tensors. */
  private static void storage(CallArgs args, CallResult result) {
    VmContext context = args.contextAt(0);
    result.set(context.allocator(0).allocate(4 * LENGTH * Double.BYTES, 64, "", context.stream(0)));
  }

  private static void view(CallArgs args, CallResult result) {
    result.set(args.tensorAt(0).reshape(Shape.of(2, LENGTH / 2)));
  }

  static void fill(CallArgs args, CallResult result) {
    for (int i = 0; i < LENGTH; i++) {
      set(args.tensorAt(0), i, args.longAt(1) + i);
    }
  }

  static void sum(CallArgs args, CallResult result) {
    for (int i = 0; i < LENGTH; i++) {
      set(args.tensorAt(2), i, get(args.tensorAt(0), i) + 2 * get(args.tensorAt(1), i));
    }
  }

  static void increment(CallArgs args, CallResult result) {
    for (int i = 0; i < LENGTH; i++) {
      set(args.tensorAt(0), i, 3 * get(args.tensorAt(0), i) % 1001 + args.longAt(1));
    }
  }

  private static void refuseNegative(CallArgs args, CallResult result) {
    if (args.longAt(0) < 0) {
      throw new IllegalArgumentException("negative");
    }
  }

  static double total(Tensor tensor) {
    double total = 0;
    for (int i = 0; i < LENGTH; i++) {
      total += get(tensor, i);
    }
    return total;
  }

  private static double get(Tensor tensor, int i) {
    return tensor.segment().getAtIndex(java.lang.foreign.ValueLayout.JAVA_DOUBLE, i);
  }

  private static void set(Tensor tensor, int i, double value) {
    tensor.segment().setAtIndex(java.lang.foreign.ValueLayout.JAVA_DOUBLE, i, value);
  }
}
