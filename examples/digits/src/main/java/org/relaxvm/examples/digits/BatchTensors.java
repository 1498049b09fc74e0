package org.relaxvm.examples.digits;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.relaxvm.api.DType;
import org.relaxvm.vmcore.executable.Arg;
import org.relaxvm.vmcore.executable.FunctionBuilder;

/**
 * Emits what a function with float32 tensors {@code [n, ...]} needs for an {@code n} that is known
 * only when it runs: the shape heap, shapes, memory and checks. The heap's only slot holds {@code
 * n}.
 */
final class BatchTensors {
  private static final int SLOT = 0;

  /** Codes of {@code vm.builtin.match_shape}; builtins, shape and value lowering. */
  private static final int MATCH_IMMEDIATE = 0;

  private static final int MATCH_STORE = 1;
  private static final int MATCH_LOAD = 3;

  /** Codes of {@code vm.builtin.make_shape}. */
  private static final int MAKE_IMMEDIATE = 0;

  private static final int MAKE_LOAD = 1;

  private static final int MAIN_DEVICE = 0;

  private final FunctionBuilder f;
  private final Arg heap;

  private BatchTensors(FunctionBuilder f, Arg heap) {
    this.f = f;
    this.heap = heap;
  }

  /**
   * Emits the check of a parameter of shape {@code [n, inner...]}, which gives {@code n} its value.
   *
   * @param context begins the messages of calls with another rank, dtype or shape
   */
  static BatchTensors checkInput(FunctionBuilder f, Arg input, String context, long... inner) {
    Arg heap = f.call("vm.builtin.alloc_shape_heap", Arg.VM, 1);
    f.callVoid("vm.builtin.check_tensor_info", input, 1 + inner.length, DType.FLOAT32, context);
    BatchTensors tensors = new BatchTensors(f, heap);
    tensors.matchShape(input, MATCH_STORE, context, inner);
    return tensors;
  }

  /** Emits the check that a result has the shape {@code [n, inner...]}. */
  void checkResult(Arg result, String context, long... inner) {
    matchShape(result, MATCH_LOAD, context, inner);
  }

  /** Emits the shape {@code [n, inner...]}. */
  Arg shape(long... inner) {
    List<Object> arguments = new ArrayList<>(List.of(heap, 1 + inner.length, MAKE_LOAD, SLOT));
    for (long extent : inner) {
      Collections.addAll(arguments, MAKE_IMMEDIATE, extent);
    }
    return f.call("vm.builtin.make_shape", arguments.toArray());
  }

  /** Emits a tensor of shape {@code [n, inner...]} with memory of its own on the main device. */
  Arg allocate(long... inner) {
    Arg shape = shape(inner);
    Arg storage =
        f.call("vm.builtin.alloc_storage", Arg.VM, shape, MAIN_DEVICE, DType.FLOAT32, "global");
    Arg tensor = f.call("vm.builtin.alloc_tensor", storage, 0, shape, DType.FLOAT32);
    // The tensor keeps the memory; without the storage it is given back with the tensor.
    free(storage);
    return tensor;
  }

  /** Emits the end of a register's use, which gives its memory back. */
  void free(Arg register) {
    f.callInto(register, "vm.builtin.null_value");
  }

  private void matchShape(Arg tensor, int batchCode, String context, long... inner) {
    List<Object> arguments =
        new ArrayList<>(List.of(tensor, heap, 1 + inner.length, batchCode, SLOT));
    for (long extent : inner) {
      Collections.addAll(arguments, MATCH_IMMEDIATE, extent);
    }
    arguments.add(context);
    f.callVoid("vm.builtin.match_shape", arguments.toArray());
  }
}
