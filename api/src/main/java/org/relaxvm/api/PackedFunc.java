package org.relaxvm.api;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.RelaxException;

/**
 * A function of the one calling convention: kernels, builtins and host functions are all packed
 * functions that a program finds by name.
 *
 * <p>Arguments are borrowed for the call: an implementation retains what it keeps. Kernels are
 * destination-passing: they write into tensors among their arguments and set no result.
 *
 * <p>Implementations are called from many threads at once unless they say otherwise.
 */
@FunctionalInterface
public interface PackedFunc {
  /**
   * Calls the function.
   *
   * @param args a view that is valid during the call only
   * @param result null on entry; what is set in it belongs to the caller
   * @throws org.relaxvm.api.error.CallException for wrong arguments; any other unchecked exception
   *     may be thrown and reaches the caller with the location of the call
   */
  void call(CallArgs args, CallResult result);

  /**
   * Calls the function from Java code outside of any VM.
   *
   * @param args values of the kinds that {@link Value} lists; borrowed for the call
   * @return the result, which the caller closes
   */
  default Value invoke(@Nullable Object... args) {
    CallResult result = new CallResult();
    try {
      call(CallArgs.of(args), result);
      return result.takeValue();
    } finally {
      result.setNull();
    }
  }

  /**
   * A packed function over an ordinary function of boxed values. Convenient rather than fast.
   *
   * @param function gets the arguments (borrowed); what it returns becomes the result. A managed
   *     value it returns must be one that it made, or one of its arguments, which is then retained
   */
  static PackedFunc of(Function<@Nullable Object[], @Nullable Object> function) {
    return (args, result) -> {
      @Nullable Object[] values = args.toArray();
      Object value = function.apply(values);
      for (Object argument : values) {
        if (argument instanceof Managed managed && managed.isSameAs(value)) {
          managed.retain();
          break;
        }
      }
      result.set(value);
    };
  }

  /**
   * The same function, whose errors say how it is called.
   *
   * @param signature the name, and the arguments in parentheses: {@code example.twice(x)}
   */
  static PackedFunc named(String signature, PackedFunc function) {
    return (args, result) -> {
      try {
        function.call(args, result);
      } catch (RelaxException e) {
        e.addLocation(signature);
        throw e;
      }
    };
  }
}
