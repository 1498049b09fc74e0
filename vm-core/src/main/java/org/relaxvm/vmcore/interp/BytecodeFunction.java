package org.relaxvm.vmcore.interp;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/**
 * A bytecode function as a packed function: what closures of it refer to. Calls from a function
 * that its VM runs are part of that call; calls from elsewhere begin one of their own. Thread-safe.
 */
public final class BytecodeFunction implements PackedFunc {
  private static final @Nullable Object[] NO_VALUES = {};

  private final Engine engine;
  private final String name;
  private final int index;

  BytecodeFunction(Engine engine, String name, int index) {
    this.engine = engine;
    this.name = name;
    this.index = index;
  }

  /** The function's name. */
  public String name() {
    return name;
  }

  /** The function's index in the table. */
  int index() {
    return index;
  }

  @SuppressWarnings("ReferenceEquality") // an engine is one object
  boolean isOf(Engine other) {
    return engine == other;
  }

  @Override
  public void call(CallArgs args, CallResult result) {
    if (args.contextOrNull() instanceof RunContext context) {
      callWithin(context, args, NO_VALUES, result);
    } else {
      engine.callFromOutside(index, args, NO_VALUES, result);
    }
  }

  /** Calls the function as part of a call that is under way. */
  void callWithin(RunContext context, CallArgs args, @Nullable Object[] bound, CallResult result) {
    requireOf(context.engine());
    engine.callNested(index, args, bound, result, context.scope());
  }

  /** Refuses to run in another VM. */
  void requireOf(Engine other) {
    if (!isOf(other)) {
      throw new CallException(
          ErrorKind.VALUE,
          "function "
              + name
              + " belongs to another virtual machine: call it through the one that made it");
    }
  }

  @Override
  public String toString() {
    return "function " + name;
  }
}
