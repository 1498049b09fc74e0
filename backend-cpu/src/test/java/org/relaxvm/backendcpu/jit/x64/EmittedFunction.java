package org.relaxvm.backendcpu.jit.x64;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.relaxvm.backendcpu.jit.MachineCode;
import org.relaxvm.backendcpu.jit.allocate.RegisterFile;
import org.relaxvm.backendcpu.jit.lir.LirFunction;
import org.relaxvm.machine.memory.Code;

/** A function of the low-level IR as code that can be called. */
final class EmittedFunction implements AutoCloseable {
  private static final MethodHandle CALL = call();

  private final Code code;

  private EmittedFunction(Code code) {
    this.code = code;
  }

  @SuppressWarnings("restricted") // the tests vouch for the code
  private static MethodHandle call() {
    return Linker.nativeLinker()
        .downcallHandle(
            FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
  }

  static EmittedFunction of(LirFunction function, X64Target target) {
    return of(function, target, target.registerFile(CallingConvention.current()));
  }

  static EmittedFunction of(LirFunction function, X64Target target, RegisterFile registers) {
    X64Code code = X64Emitter.emit(function, target, CallingConvention.current(), registers, false);
    return new EmittedFunction(MachineCode.memory().load(code.bytes()));
  }

  long call(long block, long from, long to, long scratch) {
    try {
      return (long)
          CALL.invokeExact(MemorySegment.ofAddress(code.address()), block, from, to, scratch);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("a downcall raises nothing", e);
    }
  }

  @Override
  public void close() {
    code.close();
  }
}
