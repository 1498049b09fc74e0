package org.relaxvm.vmcore.vm;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Value;

/**
 * A function of a program, ready to be called. Thread-safe: calls from many threads run at the same
 * time.
 */
public final class VmFunction {
  private final String name;
  private final List<String> paramNames;
  private final Callee callee;

  VmFunction(String name, List<String> paramNames, Callee callee) {
    this.name = name;
    this.paramNames = List.copyOf(paramNames);
    this.callee = callee;
  }

  /** The name by which the function was found. */
  public String name() {
    return name;
  }

  /**
   * Calls the function and waits for its result.
   *
   * <p>Tensors must be on the device on which the program expects them; nothing is copied. {@link
   * Session#setInput} copies.
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
