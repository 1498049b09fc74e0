package org.relaxvm.benchmarks;

import java.util.List;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.vmcore.executable.Arg;
import org.relaxvm.vmcore.executable.ExecBuilder;
import org.relaxvm.vmcore.executable.FunctionBuilder;
import org.relaxvm.vmcore.program.Program;

/**
 * Straight-line programs {@code main(x)} that do nothing but call builtins, so that they measure
 * the VM alone.
 */
final class DispatchPrograms {
  private DispatchPrograms() {}

  /** Makes the program of a kind with about {@code instructions} instructions. */
  static Program program(String kind, int instructions) {
    ExecBuilder builder = new ExecBuilder();
    builder.function(
        "main",
        List.of("x"),
        f -> {
          switch (kind) {
            case "copy" -> copy(f, instructions);
            case "shape" -> shape(f, instructions);
            case "alloc" -> alloc(f, instructions);
            default -> throw new IllegalArgumentException(kind);
          }
        });
    return Program.of(builder.get());
  }

  private static void copy(FunctionBuilder f, int instructions) {
    Arg result = f.newRegister();
    for (int i = 0; i < instructions; i++) {
      f.callInto(result, "vm.builtin.copy", f.param(0));
    }
    f.ret(result);
  }

  private static void shape(FunctionBuilder f, int instructions) {
    Arg heap = f.call("vm.builtin.alloc_shape_heap", Arg.VM, 2L);
    Arg shape = f.newRegister();
    Arg view = f.newRegister();
    for (int i = 0; i < instructions / 3; i++) {
      f.callVoid("vm.builtin.match_shape", f.param(0), heap, 2L, 1L, 0L, 1L, 1L, "");
      f.callInto(shape, "vm.builtin.make_shape", heap, 2L, 1L, 1L, 1L, 0L);
      f.callInto(view, "vm.builtin.reshape", f.param(0), shape);
    }
    f.ret(view);
  }

  private static void alloc(FunctionBuilder f, int instructions) {
    Arg storage = f.newRegister();
    Arg tensor = f.newRegister();
    for (int i = 0; i < instructions / 3; i++) {
      f.callInto(
          storage, "vm.builtin.alloc_storage", Arg.VM, Shape.of(1024), 0L, DType.UINT8, "global");
      f.callInto(tensor, "vm.builtin.alloc_tensor", storage, 0L, Shape.of(4, 8), DType.FLOAT32);
      f.callInto(storage, "vm.builtin.null_value");
    }
    f.ret(tensor);
  }
}
