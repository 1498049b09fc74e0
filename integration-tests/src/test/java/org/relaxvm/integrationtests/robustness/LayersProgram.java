package org.relaxvm.integrationtests.robustness;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.ValueLayout;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.VmContext;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.text.Assembler;
import org.relaxvm.vmcore.vm.VirtualMachine;
import org.relaxvm.vmcore.vm.VmBuilder;

/**
 * A program that uses most of what a VM has: a symbolic batch size, a loop, a closure, a branch on
 * a value that the device computed, tuples, storages and kernels. {@code main(x, steps)} applies a
 * layer {@code steps} times to {@code x: float32[n, 4]} and returns the last tensor beside all
 * those before it.
 */
final class LayersProgram {
  private static final String TEXT =
      """
      relaxvm-text 1
      constants:
        c[0] = tensor float32[4, 4] = [0.5, -0.25, 1.0, 0.75, 0.3, 0.9, -0.6, 0.2,\
       0.1, -0.4, 0.8, 0.7, -0.2, 0.6, 0.4, -0.5]
        c[1] = tensor float32[4] = [0.1, 0.2, -0.3, 0.4]
        c[2] = tensor float32[1, 1] = [2.5]

      @empty(heap):
        call vm.builtin.make_shape in: %0, i2, i1, i0, i0, i4 dst: %1
        call vm.builtin.alloc_storage in: %vm, %1, i0, dtype float32, "global" dst: %2
        call vm.builtin.alloc_tensor in: %2, i0, %1, dtype float32 dst: %3
        ret %3

      @layer(x, heap):
        call empty in: %1 dst: %2
        call relaxvm.matmul in: %0, c[0], c[1], i0, i0, "relu", %2 dst: %void
        ret %2

      @is_large(x):
        call vm.builtin.alloc_storage in: %vm, shape[1], i0, dtype float32, "global" dst: %1
        call vm.builtin.alloc_tensor in: %1, i0, shape[1, 1], dtype float32 dst: %2
        call vm.builtin.alloc_storage in: %vm, shape[1], i0, dtype bool, "global" dst: %1
        call vm.builtin.alloc_tensor in: %1, i0, shape[1, 1], dtype bool dst: %3
        call vm.builtin.null_value in: dst: %1
        call relaxvm.sum in: %0, shape[0, 1], i1, %2 dst: %void
        call relaxvm.less in: c[2], %2, %3 dst: %void
        ret %3

      @main(x, steps):
        call vm.builtin.alloc_shape_heap in: %vm, i1 dst: %2
        call vm.builtin.check_tensor_info in: %0, i2, dtype float32, "main " dst: %void
        call vm.builtin.match_shape in: %0, %2, i2, i1, i0, i0, i4, "main " dst: %void
        call vm.builtin.make_closure in: f[layer], %2 dst: %3
        call vm.builtin.copy in: %0 dst: %4
        call vm.builtin.make_tuple in: %4 dst: %5
      again:
        if %1 done
        call vm.builtin.invoke_closure in: %vm, %3, %4 dst: %4
        call is_large in: %4 dst: %6
        call vm.builtin.read_if_cond in: %6 dst: %6
        if %6 small
        call empty in: %2 dst: %7
        call relaxvm.tanh in: %4, %7 dst: %void
        call vm.builtin.copy in: %7 dst: %4
        call vm.builtin.null_value in: dst: %7
      small:
        call vm.builtin.make_tuple in: %4, %5 dst: %5
        call host.add in: %1, i-1 dst: %1
        goto again
      done:
        call vm.builtin.make_tuple in: %4, %5 dst: %5
        ret %5
      """;

  private LayersProgram() {}

  static Program program() {
    return Program.of(Assembler.parse(TEXT));
  }

  /** A builder of a VM with what the program needs besides the registry's functions. */
  static VmBuilder builder(BackendRegistry registry) {
    return builder(registry, _ -> {});
  }

  /** The same; a function of the host is given the context of the call once in each step. */
  static VmBuilder builder(BackendRegistry registry, Consumer<VmContext> host) {
    return VirtualMachine.builder(program())
        .registry(registry)
        .function(
            "host.add",
            (args, result) -> {
              host.accept(args.context());
              result.setLong(args.longAt(0) + args.longAt(1));
            });
  }

  /** Rows that take both ways of the branch, on the host. */
  static Tensor input(int rows) {
    float[] values = new float[4 * rows];
    for (int i = 0; i < values.length; i++) {
      values[i] = (i * 7 % 11) / 4f - 1;
    }
    return Tensor.of(values, Shape.of(rows, 4));
  }

  /** The bytes of all tensors in a value, one after the other. */
  static byte[] bytes(@Nullable Object value) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    append(value, all);
    return all.toByteArray();
  }

  private static void append(@Nullable Object value, ByteArrayOutputStream all) {
    if (value instanceof Tuple tuple) {
      tuple.fields().forEach(field -> append(field, all));
    } else if (value instanceof Tensor tensor) {
      Tensor host = tensor.device().isHost() ? tensor : tensor.toHost();
      all.writeBytes(host.segment().toArray(ValueLayout.JAVA_BYTE));
    } else {
      throw new AssertionError("expected tensors and tuples of them, but got " + value);
    }
  }
}
