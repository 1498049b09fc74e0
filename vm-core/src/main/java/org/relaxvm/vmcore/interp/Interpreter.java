package org.relaxvm.vmcore.interp;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.engine.DirectCall;
import org.relaxvm.api.engine.RegisterArgs;
import org.relaxvm.api.engine.Registers;
import org.relaxvm.vmcore.dataflow.Region;
import org.relaxvm.vmcore.decode.DecodedFunction;
import org.relaxvm.vmcore.decode.DecodedProgram;
import org.relaxvm.vmcore.decode.ExecutionChecks;
import org.relaxvm.vmcore.decode.InstructionCodes;
import org.relaxvm.vmcore.tier.CodeTable;
import org.relaxvm.vmcore.tier.CompiledEntry;

/**
 * Executes decoded bytecode. Calls between bytecode functions push a frame and never use the Java
 * stack.
 *
 * <p>Source: docs/spec/vm-semantics.md, section 4.
 */
final class Interpreter {
  private Interpreter() {}

  /**
   * Runs a function whose frame is pushed, with the arguments in its first registers, until it
   * returns; the value is then in {@link Run#returnedRef}. On failure frames are left for the
   * caller to drop.
   */
  static void run(Engine engine, Run run, DecodedFunction function) {
    DecodedProgram program = engine.program();
    int[] code = program.code();
    DirectCall[] direct = program.direct();
    @Nullable Object[] constantRefs = program.constantRefs();
    long[] constantBits = program.constantBits();
    RunStack stack = run.stack;
    RegisterArgs args = run.args;
    CallResult result = run.result;
    CallScope scope = run.context.scope();
    CallHook hook = scope.around(engine.hook());
    @Nullable Object[] refs = stack.refs;
    long[] bits = stack.bits;
    int base = 0;
    int ip = function.entry();
    CodeTable table = engine.codeTable(hook);
    @Nullable Region[] regions = engine.regions(scope);
    @Nullable CompiledEntry[] compiled = Tiering.called(table, function);
    CompiledEntry entered = null;
    int iterations = 0;
    Frames.initContext(run, function, base);
    args.bind(refs, bits, base, constantRefs, constantBits, code, 0, 0);
    try {
      while (true) {
        Region region = regions == null ? null : regions[ip];
        if (region != null && !region.choice().isSerialNow()) {
          ip = engine.executeRegion(run, scope, region, base, hook != null);
          run.throwRegionFailure();
          continue;
        }
        CompiledEntry entry = compiled == null ? null : compiled[ip];
        if (entry != null) {
          entered = entry;
          ip = Tiering.run(entry, run, scope, refs, bits, base);
          continue;
        }
        if (--scope.instructionsLeft < 0) {
          throw Guards.instructionsUsedUp(engine.limits());
        }
        switch (hook == null ? code[ip] : InstructionCodes.observed(code[ip])) {
          case InstructionCodes.CALL_PACKED -> {
            int count = code[ip + 3];
            int form = code[ip + InstructionCodes.DIRECT_WORD];
            if (form < 0 || hook != null || !direct[form].call(refs, bits, base)) {
              args.moveTo(base, ip + InstructionCodes.CALL_WORDS, count);
              if (hook == null) {
                program.packed(code[ip + 2]).call(args, result);
              } else {
                Hooked.call(hook, program, run, code[ip + 2]);
              }
              long scalar = result.bits();
              Registers.write(refs, bits, base, code[ip + 1], result.takeRef(), scalar);
            }
            ip += InstructionCodes.CALL_WORDS + count;
          }
          case InstructionCodes.MOVE -> {
            int operand = code[ip + InstructionCodes.CALL_WORDS];
            if (operand >= 0) {
              int slot = base + operand;
              Registers.copy(refs, bits, base, code[ip + 1], refs[slot], bits[slot]);
            } else {
              Registers.copy(
                  refs, bits, base, code[ip + 1], constantRefs[~operand], constantBits[~operand]);
            }
            ip += InstructionCodes.CALL_WORDS + 1;
          }
          case InstructionCodes.CLEAR -> {
            Registers.write(refs, bits, base, code[ip + 1], null, 0);
            ip += InstructionCodes.CALL_WORDS;
          }
          case InstructionCodes.CALL_BYTECODE, InstructionCodes.CALL_CLOSURE -> {
            args.moveTo(base, ip + InstructionCodes.CALL_WORDS, code[ip + 3]);
            if (hook != null && Hooked.skips(hook, program, run, code[ip + 2])) {
              Registers.write(refs, bits, base, code[ip + 1], null, 0);
              ip += InstructionCodes.CALL_WORDS + code[ip + 3];
              continue;
            }
            DecodedFunction callee = Frames.enter(engine, run, code[ip], code[ip + 2], ip, base);
            if (callee != null) {
              ExecutionChecks.checkInterrupt();
              base = stack.top() - callee.registers();
              ip = callee.entry();
              compiled = Tiering.called(table, callee);
              if (refs.length != stack.refs.length) {
                refs = stack.refs;
                bits = stack.bits;
                args.bind(refs, bits, base, constantRefs, constantBits, code, 0, 0);
              }
            } else {
              program.packed(code[ip + 2]).call(args, result);
              if (hook != null) {
                Hooked.after(hook, program, run, code[ip + 2], result.ref(), result.bits());
              }
              long scalar = result.bits();
              Registers.write(refs, bits, base, code[ip + 1], result.takeRef(), scalar);
              ip += InstructionCodes.CALL_WORDS + code[ip + 3];
            }
          }
          case InstructionCodes.TAIL_CALL_BYTECODE, InstructionCodes.TAIL_CALL_CLOSURE -> {
            args.moveTo(base, ip + InstructionCodes.CALL_WORDS, code[ip + 3]);
            DecodedFunction callee = Frames.replace(engine, run, code[ip], code[ip + 2], ip, base);
            if (callee != null) {
              ExecutionChecks.checkInterrupt();
              ip = callee.entry();
              compiled = Tiering.called(table, callee);
              if (refs.length != stack.refs.length) {
                refs = stack.refs;
                bits = stack.bits;
                args.bind(refs, bits, base, constantRefs, constantBits, code, 0, 0);
              }
            } else {
              program.packed(code[ip + 2]).call(args, result);
              long scalar = result.bits();
              Registers.write(refs, bits, base, code[ip + 1], result.takeRef(), scalar);
              ip += InstructionCodes.CALL_WORDS + code[ip + 3];
            }
          }
          case InstructionCodes.RETURN -> {
            if ((scope.instructionsLeft -= stack.skipped()) < 0) {
              throw Guards.instructionsUsedUp(engine.limits());
            }
            Frames.takeReturned(run, program, base, code[ip + 1]);
            if (stack.depth() == 1) {
              stack.pop(0);
              return;
            }
            ip = stack.callPosition();
            int callerBase = stack.callerBase();
            stack.pop(base);
            base = callerBase;
            if (hook != null) {
              args.moveTo(base, ip + InstructionCodes.CALL_WORDS, code[ip + 3]);
              Hooked.after(hook, program, run, code[ip + 2], run.returnedRef, run.returnedBits);
            }
            Object value = run.returnedRef;
            run.returnedRef = null;
            Registers.write(refs, bits, base, code[ip + 1], value, run.returnedBits);
            ip += InstructionCodes.CALL_WORDS + code[ip + 3];
          }
          case InstructionCodes.JUMP -> ip = code[ip + 1];
          case InstructionCodes.LOOP -> {
            ExecutionChecks.checkInterrupt();
            if (table != null && ++iterations == Tiering.ITERATIONS) {
              compiled = Tiering.looped(table, ip);
              iterations = 0;
            }
            ip = code[ip + 1];
          }
          case InstructionCodes.BRANCH -> {
            args.moveTo(base, ip + 1, 1);
            ip = ExecutionChecks.condition(args.ref(0), args.bits(0)) ? ip + 3 : code[ip + 2];
          }
          default -> throw new IllegalStateException("instruction code " + code[ip]);
        }
      }
    } catch (RuntimeException e) {
      throw Failures.located(e, program, stack, Tiering.failedAt(entered, run, scope, code, ip));
    }
  }
}
