package org.relaxvm.builtins;

import java.util.Map;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.VmContext;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/** Allocation on the VM's devices and killing of registers. */
final class MemoryBuiltins {
  private MemoryBuiltins() {}

  static Map<String, PackedFunc> functions() {
    return Map.of(
        "vm.builtin.alloc_storage",
        new WithDirectForms(MemoryBuiltins::allocStorage, DirectMemory::allocStorage),
        "vm.builtin.alloc_tensor",
        new WithDirectForms(MemoryBuiltins::allocTensor, DirectMemory::allocTensor),
        "vm.builtin.memory_manager.clear",
        MemoryBuiltins::clear,
        "vm.builtin.null_value",
        Moves.NULL_VALUE);
  }

  private static void allocStorage(CallArgs args, CallResult result) {
    args.requireCount("vm.builtin.alloc_storage(vm, shape, device_index, dtype, scope)", 5);
    result.set(
        DeviceMemories.allocateStorage(
            args.contextAt(0), args.dtypeAt(3), args.shapeAt(1), args.intAt(2), args.stringAt(4)));
  }

  private static void allocTensor(CallArgs args, CallResult result) {
    if (args.count() == 5) {
      requireSameScope(args);
    } else {
      args.requireCount("vm.builtin.alloc_tensor(storage, offset, shape, dtype[, scope])", 4);
    }
    result.set(Tensor.view(args.storageAt(0), args.longAt(1), args.dtypeAt(3), args.shapeAt(2)));
  }

  /** A tensor lives in the scope of its storage: no device here makes views in another one. */
  private static void requireSameScope(CallArgs args) {
    String wanted = args.stringAt(4);
    String given = args.storageAt(0).scope();
    if (!wanted.isEmpty() && !wanted.equals("global") && !wanted.equals(given)) {
      throw new CallException(
          ErrorKind.VALUE,
          "cannot make a tensor of scope '"
              + wanted
              + "' in a storage of scope '"
              + (given.isEmpty() ? "global" : given)
              + "'");
    }
  }

  private static void clear(CallArgs args, CallResult result) {
    args.requireCount("vm.builtin.memory_manager.clear()", 0);
    VmContext vm = args.context();
    for (int i = 0; i < vm.devices().size(); i++) {
      vm.allocator(i).trim();
    }
  }
}
