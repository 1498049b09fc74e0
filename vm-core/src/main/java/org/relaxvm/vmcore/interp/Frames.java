package org.relaxvm.vmcore.interp;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.Closure;
import org.relaxvm.api.Managed;
import org.relaxvm.api.ScalarTag;
import org.relaxvm.vmcore.decode.DecodedFunction;
import org.relaxvm.vmcore.decode.DecodedProgram;
import org.relaxvm.vmcore.decode.InstructionCodes;

/**
 * Begins and ends frames of bytecode functions.
 *
 * <p>Rationale: docs/rationale/vm-core.md, "Why is there one register stack per call and no frame
 * objects?"
 */
final class Frames {
  private Frames() {}

  /**
   * Pushes the frame of a call to which {@link Run#args} points, when the callee is bytecode.
   *
   * @return the callee, or null when a packed function has to be called instead
   */
  static @Nullable DecodedFunction enter(
      Engine engine, Run run, int code, int calleeIndex, int ip, int base) {
    DecodedProgram program = engine.program();
    CallArgs args = run.args;
    if (code == InstructionCodes.CALL_BYTECODE) {
      DecodedFunction callee = program.functions()[calleeIndex];
      if (callee != null) {
        push(run, callee, 0, null, ip, base);
      }
      return callee;
    }
    if (args.count() >= 2
        && args.ref(0) == run.context
        && args.ref(1) instanceof Closure closure
        && closure.target() instanceof BytecodeFunction function
        && function.isOf(engine)) {
      DecodedFunction callee = program.functions()[function.index()];
      if (callee != null) {
        push(run, callee, 2, closure, ip, base);
      }
      return callee;
    }
    return null;
  }

  private static void push(
      Run run,
      DecodedFunction callee,
      int firstArgument,
      @Nullable Closure closure,
      int ip,
      int base) {
    CallArgs args = run.args;
    RunStack stack = run.stack;
    int given = args.count() - firstArgument;
    int boundCount = closure == null ? 0 : closure.boundCount();
    Arity.check(callee, given + boundCount);
    int slot = stack.top();
    stack.push(callee, ip, base);
    int newBase = slot;
    for (int i = 0; i < given; i++) {
      stack.init(slot++, args.ref(firstArgument + i), args.bits(firstArgument + i));
    }
    for (int i = 0; closure != null && i < boundCount; i++) {
      Object value = closure.boundAt(i);
      ScalarTag tag = ScalarTag.of(value);
      stack.init(
          slot++, tag != null ? tag : value, tag != null && value != null ? tag.bitsOf(value) : 0);
    }
    initContext(run, callee, newBase);
  }

  /** Puts the context where the function's {@code %vm} operands look for it. */
  static void initContext(Run run, DecodedFunction function, int base) {
    if (function.contextRegister() >= 0) {
      run.stack.refs[base + function.contextRegister()] = run.context;
    }
  }

  /** Takes the value that the newest frame returns, and releases the frame's other registers. */
  static void takeReturned(Run run, DecodedProgram program, int base, int operand) {
    RunStack stack = run.stack;
    if (operand >= 0) {
      int slot = base + operand;
      stack.clear(base, slot);
      run.returnedRef = stack.refs[slot];
      run.returnedBits = stack.bits[slot];
      stack.refs[slot] = null;
    } else {
      stack.clear(base, -1);
      Object constant = program.constantRefs()[~operand];
      Managed.retain(constant);
      run.returnedRef = constant;
      run.returnedBits = program.constantBits()[~operand];
    }
  }
}
