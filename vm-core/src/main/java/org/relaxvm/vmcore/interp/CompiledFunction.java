package org.relaxvm.vmcore.interp;

import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.VmContext;
import org.relaxvm.api.engine.AnyList;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.spi.Preparable;
import org.relaxvm.vmcore.decode.ExecutionChecks;
import org.relaxvm.vmcore.executable.FunctionInfo;

/**
 * A function whose body is compiled ({@code kVMTIRFunc}): calls the body with the context and lists
 * of registers, constants and functions, and takes the result from the register after the
 * parameters.
 *
 * <p>Rationale: docs/rationale/vm-core.md, "Why do compiled functions use the Java stack?"
 *
 * <p>Source: docs/spec/vm-semantics.md, section 6. Thread-safe.
 */
public final class CompiledFunction implements PackedFunc, Preparable {
  private final FunctionInfo info;
  private final PackedFunc body;
  private final String nestedName;

  /**
   * Wraps a body.
   *
   * @param body takes {@code (context, registers, constants, functions)}, the last three {@link
   *     AnyList}s
   */
  public CompiledFunction(FunctionInfo info, PackedFunc body) {
    this.info = info;
    this.body = body;
    this.nestedName = "function " + info.name();
  }

  /** Prepares the body, where it has something to make. */
  @Override
  public void prepare() {
    if (body instanceof Preparable preparable) {
      preparable.prepare();
    }
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
    Engine engine = own.engine();
    CallScope scope = own.scope();
    if (scope.compiledFrames >= engine.limits().maxDepth()) {
      throw Guards.tooDeep(info.name(), scope.compiledFrames + 1L, engine.limits());
    }
    ExecutionChecks.checkInterrupt();
    AnyList registers = AnyList.registers((int) info.registerFileSize(), count);
    engine.gate().nest(nestedName);
    scope.compiledFrames++;
    try {
      for (int i = 0; i < count; i++) {
        registers.setArgument(i, args, i);
      }
      body.call(
          CallArgs.of(
              context,
              new Object[] {context, registers, engine.constantList(), engine.functionList()}),
          result);
      result.set(registers.take(count));
    } finally {
      scope.compiledFrames--;
      engine.gate().unnest();
      registers.clear();
    }
  }
}
