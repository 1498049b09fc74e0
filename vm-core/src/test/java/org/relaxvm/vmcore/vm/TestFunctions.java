package org.relaxvm.vmcore.vm;

import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.Closure;
import org.relaxvm.api.DType;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.VmContext;
import org.relaxvm.api.engine.ClosureInvoker;
import org.relaxvm.api.memory.DeviceTensors;

/** Functions that test programs call, and builders of VMs that have them. */
final class TestFunctions {
  private TestFunctions() {}

  /** A VM builder on the host, with the functions of this class and counted allocators. */
  static VmBuilder builder(TestProgram program, TestDevices devices) {
    return VirtualMachine.builder(program.build())
        .registry(devices.registry())
        .allocator(AllocatorKind.NAIVE)
        .function("copy", (args, result) -> result.setArgument(args, 0))
        .function("add", (args, result) -> result.setLong(args.longAt(0) + args.longAt(1)))
        .function("mul", (args, result) -> result.setLong(args.longAt(0) * args.longAt(1)))
        .function("half", (args, result) -> result.setDouble(args.doubleAt(0) / 2))
        .function("positive", (args, result) -> result.setBoolean(args.longAt(0) > 0))
        .function("null", (args, result) -> result.setNull())
        .function("tuple", (args, result) -> result.set(Tuple.of(args.toArray())))
        .function("fail", TestFunctions::fail)
        .function("kind", (args, result) -> result.set(args.typeKeyAt(0)))
        .function("new_tensor", TestFunctions::newTensor)
        .function("make_closure", TestFunctions::makeClosure)
        .function("call_back", TestFunctions::callBack)
        .function("invoke_closure", invoker());
  }

  private static void fail(CallArgs args, CallResult result) {
    throw new IllegalStateException("kernel broke");
  }

  private static void newTensor(CallArgs args, CallResult result) {
    VmContext context = args.contextAt(0);
    result.set(
        DeviceTensors.allocate(
            context.allocator(0), DType.FLOAT32, Shape.of(args.longAt(1)), context.stream(0)));
  }

  private static void makeClosure(CallArgs args, CallResult result) {
    if (args.at(0) instanceof Closure closure) {
      result.set(closure.bind(args.toArray(1)));
    }
  }

  /** Calls back into the VM on the Java stack, as host functions do. */
  private static void callBack(CallArgs args, CallResult result) {
    VmContext context = args.context();
    context.invoke(args.at(0), CallArgs.of(context, args.toArray(1)), result);
  }

  private static PackedFunc invoker() {
    return (ClosureInvoker)
        (args, result) -> {
          VmContext context = args.contextAt(0);
          context.invoke(args.at(1), CallArgs.of(context, args.toArray(2)), result);
        };
  }
}
