package org.relaxvm.backendcpu.jit.functions;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.relaxvm.backendcpu.jit.AllOpsTarget;
import org.relaxvm.backendcpu.jit.LirInterpreter;
import org.relaxvm.backendcpu.jit.MachineCode;
import org.relaxvm.backendcpu.jit.lir.LirFunction;
import org.relaxvm.backendcpu.jit.lir.Target;
import org.relaxvm.backendcpu.jit.lir.Type;
import org.relaxvm.backendcpu.jit.x64.CallingConvention;
import org.relaxvm.backendcpu.jit.x64.X64Emitter;
import org.relaxvm.backendcpu.jit.x64.X64Target;
import org.relaxvm.machine.memory.Code;
import org.relaxvm.machine.x64.Feature;

/**
 * What runs functions in tests: the interpreter, or this processor with some of its instructions.
 *
 * @param name of the test
 * @param isInterpreter whether it is slow
 */
record Machine(String name, Target target, boolean isInterpreter) {
  private static final MethodHandle CALL = call();

  @SuppressWarnings("restricted") // the tests vouch for the code
  private static MethodHandle call() {
    return Linker.nativeLinker()
        .downcallHandle(
            FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
  }

  /** The interpreter, and machine code with AVX2 and with AVX-512 as far as it can run here. */
  static List<Machine> all() {
    List<Machine> machines = new ArrayList<>();
    machines.add(new Machine("interpreter", new AllOpsTarget(256, 32, true), true));
    if (MachineCode.current().isAvailable()) {
      machines.add(new Machine("AVX2", X64Target.of(Feature.x86V3()), false));
      if (MachineCode.current().features().containsAll(Feature.x86V4())) {
        machines.add(new Machine("AVX-512", X64Target.of(Feature.x86V4()), false));
      }
    }
    return machines;
  }

  /** float32 and float64: one, and as many as a vector register has. */
  Stream<Type> floats() {
    return Stream.of(
        Type.FLOAT32,
        Type.floats(32, target.vectorBits() / 32),
        Type.FLOAT64,
        Type.floats(64, target.vectorBits() / 64));
  }

  /** Runs a function. */
  void run(LirFunction function, MemorySegment block, long count, MemorySegment... memory) {
    if (isInterpreter) {
      MemorySegment[] all = new MemorySegment[memory.length + 1];
      System.arraycopy(memory, 0, all, 0, memory.length);
      all[memory.length] = block;
      new LirInterpreter(all).run(function, block.address(), 0, count, 0);
      return;
    }
    try (Code code = load(function)) {
      call(code, block.address(), count);
    }
  }

  /** Emits code. */
  Code load(LirFunction function) {
    return MachineCode.memory()
        .load(
            X64Emitter.emit(function, (X64Target) target, CallingConvention.current(), false)
                .bytes());
  }

  static void call(Code code, long block, long count) {
    try {
      long status =
          (long) CALL.invokeExact(MemorySegment.ofAddress(code.address()), block, 0L, count, 0L);
      if (status != 0) {
        throw new IllegalStateException("a function failed with status " + status);
      }
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("a downcall raises nothing", e);
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
