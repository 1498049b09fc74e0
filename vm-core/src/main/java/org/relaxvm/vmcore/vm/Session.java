package org.relaxvm.vmcore.vm;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Managed;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.Value;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.LinkException;
import org.relaxvm.api.spi.Module;
import org.relaxvm.vmcore.executable.FunctionInfo;

/**
 * Stateful calls: a user sets the inputs of a function, invokes it, and reads its outputs one by
 * one. Inputs stay set and outputs stay readable until they are replaced or the session is closed.
 *
 * <p>Not thread-safe: one session per user; many sessions may share a VM. Source:
 * docs/spec/vm-semantics.md, section 7.
 */
public final class Session implements AutoCloseable {
  private final VirtualMachine vm;
  private final Map<String, @Nullable Object[]> inputs = new HashMap<>();
  private final Map<String, Value> outputs = new HashMap<>();

  Session(VirtualMachine vm) {
    this.vm = vm;
  }

  /**
   * Sets all inputs of a function. Tensors that are not on the main device, or on that where the
   * program expects them, are copied to it.
   *
   * @param args as for {@link VmFunction#call}; retained until they are replaced
   * @throws org.relaxvm.api.error.CallException when there is no such function, or for another
   *     number of arguments than it has parameters
   */
  public void setInput(String function, @Nullable Object... args) {
    FunctionInfo info = vm.requireFunction(function);
    if (args.length != info.numArgs()) {
      throw Messages.wrongInputCount(info, vm.inputSpecs(function), args.length);
    }
    try (Conversion conversion = Conversion.of(function, args)) {
      @Nullable Object[] old =
          inputs.put(function, vm.inputDevices(function).toDevices(conversion.values()));
      if (old != null) {
        InputDevices.release(old);
      }
    }
  }

  /**
   * As {@link #setInput}, with a last argument that a module supplies: the result of its function
   * {@code get_params()}, usually a tuple of weights.
   *
   * @throws LinkException when the module has no such function
   */
  public void setInputWithParams(String function, Module params, @Nullable Object... args) {
    PackedFunc supplier =
        params
            .findWithImports("get_params")
            .orElseThrow(
                () ->
                    new LinkException(
                        ErrorKind.VALUE,
                        params.origin()
                            + " has no function get_params(), which supplies the last argument of "
                            + function));
    try (Value weights = supplier.invoke()) {
      @Nullable Object[] all = new Object[args.length + 1];
      System.arraycopy(args, 0, all, 0, args.length);
      all[args.length] = weights;
      setInput(function, all);
    }
  }

  /**
   * Calls a function with the inputs set, and keeps its result as the outputs.
   *
   * @throws org.relaxvm.api.error.CallException when there is no such function, no inputs are set,
   *     or the call fails
   */
  public void invoke(String function) {
    vm.requireFunction(function);
    @Nullable Object[] args = inputs.get(function);
    if (args == null) {
      throw Messages.noInputs(function);
    }
    Value old = outputs.put(function, vm.callUnguarded(vm.closure(function), args));
    if (old != null) {
      old.close();
    }
  }

  /**
   * An output.
   *
   * @param indices which field of the result, which field of that, and so on; none for a result
   *     that is no tuple
   * @return an independent handle, which the caller closes
   * @throws org.relaxvm.api.error.CallException when nothing was invoked, an index does not fit, or
   *     the output is a tuple
   */
  public Value output(String function, int... indices) {
    Object output = find(function, indices);
    if (output instanceof Tuple tuple) {
      throw Messages.tupleOutput(function, tuple.size(), indices);
    }
    return vm.watched(
        Value.owned(output instanceof Managed managed ? managed.newHandle() : output),
        "an output of function " + function);
  }

  /**
   * The number of fields of an output, or -1 when it is no tuple.
   *
   * @param indices as for {@link #output}
   */
  public int outputArity(String function, int... indices) {
    return find(function, indices) instanceof Tuple tuple ? tuple.size() : -1;
  }

  private @Nullable Object find(String function, int[] indices) {
    Value output = outputs.get(function);
    if (output == null) {
      throw Messages.noOutput(function);
    }
    Object value = output.object();
    for (int depth = 0; depth < indices.length; depth++) {
      if (!(value instanceof Tuple tuple)) {
        throw Messages.notIndexable(function, indices, depth);
      }
      int index = indices[depth];
      if (index < 0 || index >= tuple.size()) {
        throw Messages.noSuchOutput(function, indices, depth, tuple.size());
      }
      value = tuple.get(index);
    }
    return value;
  }

  /** Releases inputs and outputs; values that {@link #output} gave stay. */
  @Override
  public void close() {
    inputs.values().forEach(InputDevices::release);
    inputs.clear();
    outputs.values().forEach(Value::close);
    outputs.clear();
  }
}
