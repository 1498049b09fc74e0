package org.relaxvm.vmcore.interp;

import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.VmContext;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.vmcore.executable.FunctionInfo;

/**
 * A function whose body is compiled ({@code kVMTIRFunc}): calls the body with the context and lists
 * of registers, constants and functions, and takes the result from the register after the
 * parameters.
 *
 * <p>Source: docs/spec/vm-semantics.md, section 6. Thread-safe.
 */
public final class CompiledFunction implements PackedFunc {
  private final FunctionInfo info;
  private final PackedFunc body;

  /**
   * Wraps a body.
   *
   * @param body takes {@code (context, registers, constants, functions)}, the last three {@link
   *     AnyList}s
   */
  public CompiledFunction(FunctionInfo info, PackedFunc body) {
    this.info = info;
    this.body = body;
  }

  @Override
  public void call(CallArgs args, CallResult result) {
    VmContext context = args.context();
    if (!(context instanceof RunContext own)) {
      throw new CallException(
          ErrorKind.VALUE, "function " + info.name() + " must be called by its virtual machine");
    }
    int count = args.count();
    if (count != info.numArgs()) {
      throw Arity.mismatch(info.name(), String.join(", ", info.paramNames()), info.numArgs(), count)
          .withTvmMessage("Function " + info.name() + " expects " + info.numArgs() + " arguments");
    }
    AnyList registers = AnyList.registers((int) info.registerFileSize(), count);
    try {
      for (int i = 0; i < count; i++) {
        registers.set(i, args.at(i));
      }
      Engine engine = own.engine();
      body.call(
          CallArgs.of(
              context,
              new Object[] {context, registers, engine.constantList(), engine.functionList()}),
          result);
      result.set(registers.take(count));
    } finally {
      registers.clear();
    }
  }
}
