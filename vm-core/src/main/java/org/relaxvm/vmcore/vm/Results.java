package org.relaxvm.vmcore.vm;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.Value;
import org.relaxvm.vmcore.program.TensorSpec;

/**
 * The outputs of one call, by index and, where the program names them, by name. Closing the results
 * closes all of them:
 *
 * <pre>{@code
 * try (Results results = vm.function("main").call(Map.of("image", image))) {
 *   float[] scores = results.tensor("scores").toFloatArray();
 * }
 * }</pre>
 *
 * <p>A program that returns a tuple has one output per field; any other program has one output.
 *
 * <p><b>Ownership.</b> Tensors and values that the accessors return are borrowed: they are valid
 * until the results are closed. {@link Tensor#alias} gives a handle that stays valid. Tensors that
 * {@link BoundCall#output(int, Tensor)} bound remain the caller's and are not closed.
 *
 * <p>Immutable; thread-safe.
 */
public final class Results implements AutoCloseable {
  private final String function;
  private final @Nullable Object[] outputs;
  private final List<String> names;
  private final Value owner;

  private Results(String function, @Nullable Object[] outputs, List<String> names, Value owner) {
    this.function = function;
    this.outputs = outputs;
    this.names = names;
    this.owner = owner;
  }

  /** Takes a result over; bound tensors replace outputs. */
  static Results of(String function, Value result, Optional<List<TensorSpec>> specs, Bound bound) {
    boolean done = false;
    try {
      @Nullable Object[] outputs =
          result.object() instanceof Tuple tuple
              ? tuple.fields().toArray()
              : new Object[] {result.object()};
      List<String> names = names(outputs.length, specs);
      bound.fill(outputs);
      done = true;
      return new Results(function, outputs, names, result);
    } finally {
      if (!done) {
        result.close();
      }
    }
  }

  /** Copies outputs to bound tensors and puts these in their position. */
  @FunctionalInterface
  interface Bound {
    void fill(@Nullable Object[] outputs);
  }

  private static List<String> names(int count, Optional<List<TensorSpec>> specs) {
    List<String> names = specs.orElse(List.of()).stream().map(TensorSpec::name).toList();
    return names.size() == count && names.stream().noneMatch(String::isEmpty) ? names : List.of();
  }

  /** The number of outputs. */
  public int size() {
    return outputs.length;
  }

  /** The names of the outputs in order; empty when the program does not name them. */
  public List<String> names() {
    return names;
  }

  /**
   * An output that is a tensor, borrowed.
   *
   * @param index from 0
   * @throws org.relaxvm.api.error.CallException an {@code IndexError} when there is no such output,
   *     a {@code TypeError} when it is no tensor
   */
  public Tensor tensor(int index) {
    return tensor(function, index, value(index).object());
  }

  /**
   * An output that is a tensor, borrowed.
   *
   * @throws org.relaxvm.api.error.CallException a {@code ValueError} that lists the names when
   *     there is no such output, a {@code TypeError} when it is no tensor
   */
  public Tensor tensor(String name) {
    return tensor(indexOf(name));
  }

  /**
   * An output of any kind, borrowed.
   *
   * @param index from 0
   * @throws org.relaxvm.api.error.CallException an {@code IndexError} when there is no such output
   */
  public Value value(int index) {
    if (index < 0 || index >= outputs.length) {
      throw Messages.noSuchResult(function, index, outputs.length);
    }
    return Value.borrowed(outputs[index]);
  }

  /**
   * An output of any kind, borrowed.
   *
   * @throws org.relaxvm.api.error.CallException a {@code ValueError} that lists the names when
   *     there is no such output
   */
  public Value value(String name) {
    return value(indexOf(name));
  }

  /** An output as a tensor. */
  static Tensor tensor(String function, int index, @Nullable Object output) {
    if (output instanceof Tensor tensor) {
      return tensor;
    }
    throw Messages.notATensor(function, index, output);
  }

  private int indexOf(String name) {
    int index = names.indexOf(name);
    if (index < 0) {
      throw Messages.unknownName(function, "output", name, names);
    }
    return index;
  }

  /** Closes all outputs but those that were bound. Closing again does nothing. */
  @Override
  public void close() {
    owner.close();
  }

  @Override
  public String toString() {
    return "results of function " + function + ": " + owner;
  }
}
