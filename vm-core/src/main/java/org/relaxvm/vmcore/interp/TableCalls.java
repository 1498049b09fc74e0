package org.relaxvm.vmcore.interp;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.ScalarTag;
import org.relaxvm.api.engine.ProgramCalls;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.vmcore.decode.DecodedProgram;
import org.relaxvm.vmcore.decode.ExecutionChecks;
import org.relaxvm.vmcore.executable.FunctionInfo;
import org.relaxvm.vmcore.executable.FunctionKind;

/**
 * Calls from the body of a compiled function, with what the interpreter does at a call instruction.
 *
 * <p>Rationale: docs/rationale/vm-core.md, "Why do compiled functions call through the function
 * table?"
 */
final class TableCalls implements ProgramCalls {
  private final Engine engine;
  private final CallScope scope;
  private final @Nullable CallHook hook;

  TableCalls(Engine engine, CallScope scope) {
    this.engine = engine;
    this.scope = scope;
    this.hook = scope.around(engine.hook());
  }

  @Override
  public int find(String name) {
    int index = 0;
    for (FunctionInfo entry : engine.program().executable().functions()) {
      if (entry.kind() == FunctionKind.PACKED && entry.name().equals(name)) {
        return index;
      }
      index++;
    }
    throw new CallException(
        ErrorKind.VALUE,
        "a compiled function calls "
            + name
            + ", which the function table of its program does not declare\n"
            + "  what to do: compile the program again, so that bodies and table agree");
  }

  @Override
  public void call(int function, CallArgs args, CallResult result) {
    count();
    DecodedProgram program = engine.program();
    PackedFunc callee = program.packed()[function];
    if (callee == null) {
      throw new IllegalStateException("function table entry " + function + " is not packed");
    }
    if (hook == null) {
      callee.call(args, result);
      return;
    }
    Object value = program.functionValue(function);
    String name = program.functionName(function);
    if (hook.before(value, name, args)) {
      result.setNull();
    } else {
      callee.call(args, result);
      Object ref = result.ref();
      hook.after(value, name, args, ref instanceof ScalarTag tag ? tag.box(result.bits()) : ref);
    }
  }

  @Override
  public void iterate() {
    ExecutionChecks.checkInterrupt();
    count();
  }

  private void count() {
    if (--scope.instructionsLeft < 0) {
      throw Guards.instructionsUsedUp(engine.limits());
    }
  }
}
