package org.relaxvm.integrationtests.differential;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.integrationtests.differential.ReferenceValues.RefClosure;
import org.relaxvm.integrationtests.differential.ReferenceValues.RefContext;
import org.relaxvm.integrationtests.differential.ReferenceValues.RefFunction;
import org.relaxvm.vmcore.executable.Executable;
import org.relaxvm.vmcore.executable.FunctionInfo;
import org.relaxvm.vmcore.executable.FunctionKind;

/**
 * Evaluates bytecode in the plainest way: an array of boxed values a frame, a Java call a call, and
 * nothing decoded before it runs.
 *
 * <p>Source: docs/spec/executable-format.md, section 4, and docs/spec/vm-semantics.md, sections 4
 * and 5.
 */
final class ReferenceVm {
  private static final long VOID = 1L << 54;
  private static final long CONTEXT = VOID + 1;

  private final Executable program;
  private final long limit;
  private final ReferenceFunctions functions = new ReferenceFunctions(this);
  private final RefContext context = new RefContext();
  private final List<String> trace = new ArrayList<>();
  private long executed;

  ReferenceVm(Executable program, long limit) {
    this.program = program;
    this.limit = limit;
  }

  /** The calls of host functions in their order, with their arguments. */
  List<String> calls() {
    return functions.calls();
  }

  /** All calls, before they are made and after they have returned, as an instrument sees them. */
  List<String> trace() {
    return trace;
  }

  /** The number of instructions executed. */
  long executed() {
    return executed;
  }

  @Nullable Object call(int function, List<@Nullable Object> args) {
    FunctionInfo info = program.functions().get(function);
    if (args.size() != info.numArgs()) {
      throw new ReferenceError(
          ErrorKind.INTERNAL,
          "Invoking function "
              + info.name()
              + " expects "
              + info.numArgs()
              + " arguments"
              + (info.paramNames().isEmpty()
                  ? ""
                  : " (" + String.join(", ", info.paramNames()) + ")")
              + ", but "
              + args.size()
              + " arguments were provided.");
    }
    @Nullable Object[] registers = new Object[(int) info.registerFileSize()];
    for (int i = 0; i < args.size(); i++) {
      registers[i] = args.get(i);
    }
    return run((int) info.startInstr(), registers);
  }

  private @Nullable Object run(int start, @Nullable Object[] registers) {
    int pc = start;
    while (true) {
      if (executed == limit) {
        throw new ReferenceError(
            ErrorKind.RUNTIME,
            "the call executed more than " + limit + " instructions, which is the limit");
      }
      executed++;
      int at = (int) program.offset(pc);
      switch ((int) program.word(at)) {
        case 1 -> {
          Object value = invoke(at, registers);
          if (program.word(at + 1) < VOID) {
            registers[(int) program.word(at + 1)] = value;
          }
          pc++;
        }
        case 2 -> {
          return register(program.word(at + 1), registers);
        }
        case 3 -> pc += (int) program.word(at + 1);
        case 4 ->
            pc += holds(register(program.word(at + 1), registers)) ? 1 : (int) program.word(at + 2);
        default -> throw new IllegalStateException("opcode " + program.word(at));
      }
    }
  }

  private @Nullable Object invoke(int at, @Nullable Object[] registers) {
    List<@Nullable Object> args = new ArrayList<>();
    for (int i = 0; i < program.word(at + 3); i++) {
      args.add(argument(program.word(at + 4 + i), registers));
    }
    int callee = (int) program.word(at + 2);
    FunctionInfo info = program.functions().get(callee);
    trace.add(info.name() + args.stream().map(ReferenceVm::seenByInstruments).toList());
    Object result =
        info.kind() == FunctionKind.VM ? call(callee, args) : functions.call(info.name(), args);
    trace.add(info.name() + " gave " + Rendering.ofReference(result));
    return result;
  }

  /** Instruments see the text of a data type. Source: docs/spec/vm-semantics.md, section 8. */
  private static String seenByInstruments(@Nullable Object value) {
    return Rendering.ofReference(value instanceof DType dtype ? dtype.toString() : value);
  }

  private @Nullable Object argument(long word, @Nullable Object[] registers) {
    long value = word << 8 >> 8;
    return switch ((int) (word >>> 56)) {
      case 0 -> register(value, registers);
      case 1 -> value;
      case 2 -> program.constants().get((int) value);
      case 3 -> functionValue((int) value);
      default -> throw new IllegalStateException("argument " + word);
    };
  }

  private Object functionValue(int index) {
    FunctionInfo info = program.functions().get(index);
    return info.kind() == FunctionKind.VM
        ? new RefClosure(info.name(), index, List.of())
        : new RefFunction(info.name());
  }

  private @Nullable Object register(long register, @Nullable Object[] registers) {
    if (register == CONTEXT) {
      return context;
    }
    return register == VOID ? null : registers[(int) register];
  }

  private static boolean holds(@Nullable Object condition) {
    return switch (condition) {
      case Long number -> number != 0;
      case Boolean bool -> bool;
      case null, default ->
          throw new ReferenceError(
              ErrorKind.TYPE,
              "Cannot convert from type `" + ReferenceValues.typeKey(condition) + "` to `int`");
    };
  }

  /** Calls what a register holds; the arguments come before the bound values. */
  @Nullable Object invoke(@Nullable Object callable, List<@Nullable Object> args) {
    return switch (callable) {
      case RefClosure closure -> {
        List<@Nullable Object> all = new ArrayList<>(args);
        all.addAll(closure.bound());
        yield call(closure.function(), all);
      }
      case RefFunction function -> functions.call(function.name(), args);
      case null, default ->
          throw new ReferenceError(ErrorKind.TYPE, "Function expects a closure or ffi::Function ");
    };
  }
}
