package org.relaxvm.integrationtests.golden;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.spi.Module;

/**
 * A kernel of a compiled program in terms of the kernel library: the library's function with some
 * of its arguments fixed.
 *
 * @param target the library's function
 * @param arguments each a fixed value, or {@link Argument} for an argument of the call
 */
record KernelCall(PackedFunc target, @Nullable Object[] arguments) implements PackedFunc {
  /** Stands for an argument of the call. */
  record Argument(int index) {}

  /** The library kernel {@code relaxvm.<name>}. */
  static KernelCall of(Module library, String name, @Nullable Object... arguments) {
    return new KernelCall(library.find("relaxvm." + name).orElseThrow(), arguments);
  }

  static Argument arg(int index) {
    return new Argument(index);
  }

  @Override
  public void call(CallArgs args, CallResult result) {
    @Nullable Object[] values = arguments.clone();
    for (int i = 0; i < values.length; i++) {
      if (values[i] instanceof Argument argument) {
        values[i] = args.at(argument.index());
      }
    }
    target.call(CallArgs.of(args.contextOrNull(), values), result);
  }
}
