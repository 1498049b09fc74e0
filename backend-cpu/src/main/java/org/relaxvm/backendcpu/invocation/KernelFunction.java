package org.relaxvm.backendcpu.invocation;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.tir.Param;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.abi.CallBinding;
import org.relaxvm.tir.expr.Buffer;

/**
 * A kernel that runs as compiled code. One argument per parameter: tensors on the host, integers,
 * booleans or floats. Buffers without strides take tensors with any strides; those that are not
 * compact are copied. Outputs must not overlap each other nor inputs, unless the kernel reads an
 * element no later than it writes it. Thread-safe.
 */
public final class KernelFunction implements PackedFunc {
  private final PrimFunc function;
  private final CallBinding arguments;
  private final CompiledKernel compiled;
  private final List<PackedFunc> called;

  /**
   * A kernel.
   *
   * @param arguments of its parameters
   * @param called what the code calls, in the order of {@link CompiledKernel#functions()}
   */
  public KernelFunction(
      PrimFunc function, CallBinding arguments, CompiledKernel compiled, List<PackedFunc> called) {
    this.function = function;
    this.arguments = arguments;
    this.compiled = compiled;
    this.called = List.copyOf(called);
  }

  @Override
  public void call(CallArgs args, CallResult result) {
    try {
      run(args, result);
    } catch (ArithmeticException | IndexOutOfBoundsException e) {
      CallException error = Failures.of(e);
      error.addLocation("kernel " + function.name());
      throw error;
    } catch (RelaxException e) {
      e.addLocation("kernel " + function.name());
      throw e;
    }
  }

  private void run(CallArgs args, CallResult result) {
    @Nullable Tensor[] given = arguments.tensors(args);
    Tensor[] used = given.clone();
    try {
      compact(given, used);
      List<Argument> buffers = new ArrayList<>(used.length);
      for (int i = 0; i < used.length; i++) {
        if (used[i] != null) {
          buffers.add(new Argument(used[i], arguments.writes(i)));
        }
      }
      long[] values = arguments.bind(args, used);
      Object value = compiled.run(args.contextOrNull(), buffers, values, called);
      copyBack(given, used);
      if (value != null) {
        result.set(value);
      }
    } finally {
      for (int i = 0; i < used.length; i++) {
        if (used[i] != null && !used[i].equals(given[i])) {
          used[i].close();
        }
      }
    }
  }

  /** Copies of tensors whose elements are not row-major. */
  private void compact(@Nullable Tensor[] given, Tensor[] used) {
    for (int i = 0; i < used.length; i++) {
      if (given[i] != null
          && function.params().get(i) instanceof Param.OfBuffer(Buffer buffer)
          && buffer.strides().isEmpty()
          && !given[i].isContiguous()) {
        used[i] = given[i].toHost();
      }
    }
  }

  private void copyBack(@Nullable Tensor[] given, Tensor[] used) {
    for (int i = 0; i < used.length; i++) {
      if (given[i] != null && !used[i].equals(given[i]) && arguments.writes(i)) {
        used[i].copyInto(given[i]);
      }
    }
  }
}
