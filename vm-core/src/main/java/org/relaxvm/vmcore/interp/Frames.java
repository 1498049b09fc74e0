package org.relaxvm.vmcore.interp;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.Closure;
import org.relaxvm.api.Managed;
import org.relaxvm.api.ScalarTag;
import org.relaxvm.vmcore.decode.DecodedFunction;
import org.relaxvm.vmcore.decode.DecodedProgram;
import org.relaxvm.vmcore.decode.InstructionCodes;
import org.relaxvm.vmcore.decode.TailCalls;

/**
 * Begins and ends frames of bytecode functions.
 *
 * <p>Rationale: docs/rationale/vm-core.md, "Why is there one register stack per call and no frame
 * objects?"
 */
final class Frames {
  /** The context and the closure, before the arguments of a call of a closure. */
  private static final int CLOSURE_OPERANDS = 2;

  private Frames() {}

  /**
   * Pushes the frame of a call to which {@link Run#args} points, when the callee is bytecode.
   *
   * @return the callee, or null when a packed function has to be called instead
   */
  static @Nullable DecodedFunction enter(
      Engine engine, Run run, int code, int calleeIndex, int ip, int base) {
    Closure closure = callsClosure(code) ? closure(engine, run) : null;
    DecodedFunction callee = callee(engine, code, closure, calleeIndex);
    if (callee != null) {
      Arity.check(callee, arguments(run, closure));
      int slot = run.stack.top();
      run.stack.push(callee, ip, base);
      init(run, slot, closure);
      initContext(run, callee, slot);
    }
    return callee;
  }

  /**
   * Replaces the newest frame by that of a tail call to which {@link Run#args} points, when the
   * callee is bytecode. The arguments are retained before the registers of the frame are released.
   *
   * @return the callee, or null when a packed function has to be called instead
   */
  static @Nullable DecodedFunction replace(
      Engine engine, Run run, int code, int calleeIndex, int ip, int base) {
    Closure closure = callsClosure(code) ? closure(engine, run) : null;
    DecodedFunction callee = callee(engine, code, closure, calleeIndex);
    if (callee != null) {
      int count = arguments(run, closure);
      Arity.check(callee, count);
      RunStack stack = run.stack;
      int first = stack.top();
      stack.pushArguments(callee, base, count);
      init(run, first, closure);
      stack.clear(base, first, -1);
      stack.replace(
          callee, base, first, TailCalls.instructionsToReturn(engine.program().code(), ip));
      initContext(run, callee, base);
    }
    return callee;
  }

  /** Also for a tail call that an instrument sees, which pushes a frame. */
  private static boolean callsClosure(int code) {
    return code == InstructionCodes.CALL_CLOSURE || code == InstructionCodes.TAIL_CALL_CLOSURE;
  }

  /** The closure that a call of the closure invoker runs within this engine, if it is bytecode. */
  private static @Nullable Closure closure(Engine engine, Run run) {
    CallArgs args = run.args;
    return args.count() >= 2
            && args.ref(0) == run.context
            && args.ref(1) instanceof Closure closure
            && closure.target() instanceof BytecodeFunction function
            && function.isOf(engine)
        ? closure
        : null;
  }

  private static @Nullable DecodedFunction callee(
      Engine engine, int code, @Nullable Closure closure, int calleeIndex) {
    @Nullable DecodedFunction[] functions = engine.program().functions();
    if (!callsClosure(code)) {
      return functions[calleeIndex];
    }
    return closure != null && closure.target() instanceof BytecodeFunction function
        ? functions[function.index()]
        : null;
  }

  /** The number of arguments, with those that are bound. */
  private static int arguments(Run run, @Nullable Closure closure) {
    int given = run.args.count();
    return closure == null ? given : given - CLOSURE_OPERANDS + closure.boundCount();
  }

  /** Writes the arguments into the first registers of a frame, which hold null. */
  private static void init(Run run, int firstSlot, @Nullable Closure closure) {
    CallArgs args = run.args;
    RunStack stack = run.stack;
    int slot = firstSlot;
    for (int i = closure == null ? 0 : CLOSURE_OPERANDS; i < args.count(); i++) {
      stack.init(slot++, args.ref(i), args.bits(i));
    }
    for (int i = 0; closure != null && i < closure.boundCount(); i++) {
      Object value = closure.boundAt(i);
      ScalarTag tag = ScalarTag.of(value);
      stack.init(
          slot++, tag != null ? tag : value, tag != null && value != null ? tag.bitsOf(value) : 0);
    }
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
