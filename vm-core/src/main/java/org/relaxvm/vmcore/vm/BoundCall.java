package org.relaxvm.vmcore.vm;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Storage;
import org.relaxvm.api.Tensor;

/**
 * A call whose inputs are set one by one and whose outputs go to tensors of the caller. It can be
 * run any number of times; what is set stays set.
 *
 * <pre>{@code
 * BoundCall call = vm.function("main").bind().output(0, scores);
 * for (Tensor image : images) {
 *   call.input("image", image).run().close();
 * }
 * }</pre>
 *
 * <p><b>Outputs.</b> A program allocates its results itself. Each result with a bound tensor is
 * copied to that tensor, once, on the device where the tensor is, and its memory goes back to the
 * pool before {@link #run} returns. Repeated runs with the same shapes therefore take no further
 * memory from the device.
 *
 * <p><b>Ownership.</b> Inputs and bound tensors are borrowed: the caller keeps them open while the
 * call is used.
 *
 * <p>Not thread-safe: one bound call per thread.
 */
public final class BoundCall {
  private final VmFunction function;
  private final Map<Integer, @Nullable Object> inputs = new TreeMap<>();
  private final Map<Integer, Tensor> outputs = new TreeMap<>();

  BoundCall(VmFunction function) {
    this.function = function;
  }

  /**
   * Sets an input.
   *
   * @param name of the parameter
   * @param value as for {@link VmFunction#call(Object...)}; borrowed
   * @throws org.relaxvm.api.error.CallException a {@code ValueError} that lists the names when
   *     there is no such parameter
   */
  public BoundCall input(String name, @Nullable Object value) {
    int index = function.paramNames().indexOf(name);
    if (index < 0) {
      throw Messages.unknownName(function.name(), "parameter", name, function.paramNames());
    }
    inputs.put(index, value);
    return this;
  }

  /**
   * Sets an input.
   *
   * @param index of the parameter, from 0
   * @param value as for {@link VmFunction#call(Object...)}; borrowed
   * @throws org.relaxvm.api.error.CallException a {@code ValueError} when there is no such
   *     parameter
   */
  public BoundCall input(int index, @Nullable Object value) {
    if (index < 0 || index >= function.parameterCount()) {
      throw Messages.noSuchParameter(function.name(), index, function.parameterCount());
    }
    inputs.put(index, value);
    return this;
  }

  /**
   * Sets the tensor that receives an output. Dtype and shape must be those of the output, on any
   * device; {@link #run} checks them.
   *
   * @param index of the output, from 0
   * @param target borrowed; its elements are overwritten by each run
   */
  public BoundCall output(int index, Tensor target) {
    outputs.put(index, target);
    return this;
  }

  /**
   * Sets the tensor that receives an output, by the name that the program gives it; see {@link
   * #output(int, Tensor)}.
   *
   * @throws org.relaxvm.api.error.CallException a {@code ValueError} that lists the names when
   *     there is no such output, or the program does not name its outputs
   */
  public BoundCall output(String name, Tensor target) {
    List<String> names = function.outputNames();
    int index = names.indexOf(name);
    if (index < 0) {
      throw Messages.unknownName(function.name(), "output", name, names);
    }
    return output(index, target);
  }

  /**
   * Calls the function and waits for its results.
   *
   * @return all outputs, which the caller closes; bound tensors are in their positions and are not
   *     closed with them
   * @throws org.relaxvm.api.error.CallException a {@code ValueError} when an input is not set, an
   *     output does not have the dtype and the shape of the tensor bound to it, or an output that
   *     is not bound shares the memory of a tensor bound to another one; as for {@link
   *     VmFunction#call(Object...)} otherwise. No bound tensor is written then
   */
  public Results run() {
    @Nullable Object[] args = new Object[function.parameterCount()];
    for (int i = 0; i < args.length; i++) {
      if (!inputs.containsKey(i)) {
        throw Messages.inputNotSet(function.name(), i, function.paramNames());
      }
      args[i] = inputs.get(i);
    }
    return Results.of(function.name(), function.call(args), function.outputs(), this::fill);
  }

  private void fill(@Nullable Object[] results) {
    Map<Integer, Tensor> sources = new TreeMap<>();
    outputs.forEach((index, target) -> sources.put(index, checked(results, index, target)));
    List<Storage> written = new ArrayList<>();
    outputs.forEach(
        (index, target) -> {
          if (!isSame(results[index], target)) {
            written.add(target.storage());
          }
        });
    requireUnwritten(results, written);
    // A result may be a view of an input that is bound as another output: it is read before any
    // output is written.
    sources.replaceAll(
        (index, result) -> written.contains(result.storage()) ? result.toHost() : result);
    outputs.forEach(
        (index, target) -> {
          Object result = results[index];
          if (!isSame(result, target)) {
            Objects.requireNonNull(sources.get(index)).copyInto(target);
          }
        });
    outputs.forEach(
        (index, target) -> {
          if (results[index] instanceof Tensor result) {
            result.close();
          }
          results[index] = target;
        });
  }

  private Tensor checked(@Nullable Object[] results, int index, Tensor target) {
    if (index < 0 || index >= results.length) {
      throw Messages.noSuchResult(function.name(), index, results.length);
    }
    Tensor result = Results.tensor(function.name(), index, results[index]);
    if (!result.dtype().equals(target.dtype()) || !result.shape().equals(target.shape())) {
      throw Messages.unfitOutput(function.name(), index, result, target);
    }
    return result;
  }

  private void requireUnwritten(@Nullable Object[] results, List<Storage> written) {
    for (int index = 0; index < results.length; index++) {
      if (!outputs.containsKey(index)
          && results[index] instanceof Tensor result
          && written.contains(result.storage())) {
        throw Messages.overwrittenOutput(function.name(), index);
      }
    }
  }

  /** Whether a program returned the bound tensor itself, as one of its inputs. */
  private static boolean isSame(@Nullable Object result, Tensor target) {
    return result instanceof Tensor tensor
        && tensor.storage().equals(target.storage())
        && tensor.byteOffset() == target.byteOffset()
        && Arrays.equals(tensor.strides(), target.strides());
  }
}
