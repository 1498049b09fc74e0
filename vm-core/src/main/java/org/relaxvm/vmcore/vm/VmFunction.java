package org.relaxvm.vmcore.vm;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Managed;
import org.relaxvm.api.Value;
import org.relaxvm.vmcore.program.TensorSpec;

/**
 * A function of a program, ready to be called. Thread-safe: calls from many threads run at the same
 * time.
 */
public final class VmFunction {
  private final String name;
  private final List<String> paramNames;
  private final int parameterCount;
  private final Optional<List<TensorSpec>> inputs;
  private final Optional<List<TensorSpec>> outputs;
  private final Callee callee;

  VmFunction(
      String name,
      List<String> paramNames,
      int parameterCount,
      Optional<List<TensorSpec>> inputs,
      Optional<List<TensorSpec>> outputs,
      Callee callee) {
    this.name = name;
    this.paramNames = List.copyOf(paramNames);
    this.parameterCount = parameterCount;
    this.inputs = inputs.map(List::copyOf);
    this.outputs = outputs.map(List::copyOf);
    this.callee = callee;
  }

  /** The name by which the function was found. */
  public String name() {
    return name;
  }

  /**
   * Name, dtype, symbolic shape and device of each parameter, in order. The device is the one of
   * this virtual machine to which a call copies host tensors.
   *
   * @return empty when the program does not describe this function's parameters; {@link
   *     #paramNames} may still name them
   */
  public Optional<List<TensorSpec>> inputs() {
    return inputs;
  }

  /**
   * Name, dtype and symbolic shape of each output, in order; the device where the program states
   * one. A dimension has the same name here and in {@link #inputs} where it is the same extent.
   *
   * @return empty when the program does not describe this function's outputs
   */
  public Optional<List<TensorSpec>> outputs() {
    return outputs;
  }

  /**
   * Calls the function and waits for its result.
   *
   * <p>A host tensor whose parameter is on another device is copied there for this call, unless the
   * virtual machine was built with {@link InputCopies#REFUSE}; {@link VirtualMachine#upload} copies
   * it once for many calls. The copy is released at the end of the call unless the program keeps
   * it. A tensor on any other device than the one that the program states is refused.
   *
   * @param args {@link org.relaxvm.api.Tensor}, {@link org.relaxvm.api.Shape}, {@link
   *     org.relaxvm.api.Tuple} or {@link List}, {@link String}, {@link org.relaxvm.api.DType},
   *     {@link org.relaxvm.api.DeviceId}, {@link org.relaxvm.api.Closure}, {@link
   *     org.relaxvm.api.PackedFunc}, {@link Value}, {@code byte[]}, boxed numbers and booleans, or
   *     null; borrowed for the call
   * @return the result, which the caller closes: an independent handle, even where the program
   *     returns one of its arguments
   * @throws org.relaxvm.api.error.CallException for a wrong number or kind of arguments, and for
   *     every failure of the program; the VM stays usable
   * @throws org.relaxvm.api.error.RelaxException of another kind, as kernels and devices throw them
   */
  public Value call(@Nullable Object... args) {
    try (Conversion conversion = Conversion.of(name, args)) {
      return callee.call(conversion.values());
    }
  }

  /**
   * Calls the function with arguments by name and waits for its results.
   *
   * @param args a value for each parameter, of the kinds that {@link #call(Object...)} takes;
   *     borrowed for the call
   * @return all outputs, which the caller closes
   * @throws org.relaxvm.api.error.CallException a {@code ValueError} for a name that is not a
   *     parameter and for a parameter without a value; otherwise as {@link #call(Object...)}
   */
  public Results call(Map<String, ?> args) {
    BoundCall call = bind();
    args.forEach(call::input);
    return call.run();
  }

  /** A call whose inputs and outputs are bound one by one, for calls that are repeated. */
  public BoundCall bind() {
    return new BoundCall(this);
  }

  /**
   * Calls the function in another thread, one of the default executor of {@link CompletableFuture}.
   *
   * @param args as for {@link #call(Object...)}. They are retained until the call ends: the caller
   *     may close them at once, and must not change their elements before
   * @return completes with the result, which its receiver closes, or with what {@link
   *     #call(Object...)} throws. The result of a cancelled future is closed; the call itself is
   *     not interrupted
   * @throws org.relaxvm.api.error.CallException a {@code TypeError} for a value that no program
   *     takes, and a {@code ValueError} for a closed one
   */
  public CompletableFuture<Value> callAsync(@Nullable Object... args) {
    CompletableFuture<Value> future = new CompletableFuture<>();
    return start(future, future.defaultExecutor(), args);
  }

  /** As {@link #callAsync(Object...)}, in a thread of an executor. */
  public CompletableFuture<Value> callAsync(Executor executor, @Nullable Object... args) {
    return start(new CompletableFuture<>(), executor, args);
  }

  private CompletableFuture<Value> start(
      CompletableFuture<Value> future, Executor executor, @Nullable Object[] args) {
    @Nullable Object[] held = hold(args);
    boolean started = false;
    try {
      executor.execute(() -> run(future, held));
      started = true;
      return future;
    } finally {
      if (!started) {
        InputDevices.release(held);
      }
    }
  }

  /** The converted arguments, each with an owner for the call. */
  private @Nullable Object[] hold(@Nullable Object[] args) {
    @Nullable Object[] held = new Object[args.length];
    boolean done = false;
    try (Conversion conversion = Conversion.of(name, args)) {
      for (int i = 0; i < held.length; i++) {
        Object value = conversion.values()[i];
        Managed.retain(value);
        held[i] = value;
      }
      done = true;
      return held;
    } finally {
      if (!done) {
        InputDevices.release(held);
      }
    }
  }

  private void run(CompletableFuture<Value> future, @Nullable Object[] held) {
    try {
      Value result = callee.call(held);
      if (!future.complete(result)) {
        result.close();
      }
    } catch (RuntimeException | Error e) {
      future.completeExceptionally(e);
    } finally {
      InputDevices.release(held);
    }
  }

  /**
   * The number of parameter names; 0 when the program has none (TVM's {@code get_function_arity}).
   */
  public int arity() {
    return paramNames.size();
  }

  /** The names of the parameters; empty when the program has none. */
  public List<String> paramNames() {
    return paramNames;
  }

  /**
   * The name of a parameter.
   *
   * @throws org.relaxvm.api.error.CallException a {@code ValueError} when there is no such name
   */
  public String paramName(int index) {
    if (index < 0 || index >= paramNames.size()) {
      throw Messages.noSuchParameter(name, index, paramNames.size());
    }
    return paramNames.get(index);
  }

  int parameterCount() {
    return parameterCount;
  }

  List<String> outputNames() {
    List<String> names = outputs.orElse(List.of()).stream().map(TensorSpec::name).toList();
    return names.stream().noneMatch(String::isEmpty) ? names : List.of();
  }

  @Override
  public String toString() {
    return "function " + name + "(" + String.join(", ", paramNames) + ")";
  }

  /** What a call does. */
  @FunctionalInterface
  interface Callee {
    Value call(@Nullable Object[] args);
  }
}
