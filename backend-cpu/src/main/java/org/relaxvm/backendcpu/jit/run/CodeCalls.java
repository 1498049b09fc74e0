package org.relaxvm.backendcpu.jit.run;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Calls of machine code. All kernels share the method handle, whose first parameter is the address
 * of the code, so that the JVM compiles one stub. Thread-safe.
 *
 * <p>Rationale: docs/rationale/backend-cpu.md, "Why are calls of machine code not critical?"
 */
final class CodeCalls {
  private static final FunctionDescriptor SIGNATURE =
      FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);

  private static final MethodHandle CALL = handle();

  private CodeCalls() {}

  @SuppressWarnings("restricted") // the signature of all functions of the low-level IR
  private static MethodHandle handle() {
    return Linker.nativeLinker().downcallHandle(SIGNATURE);
  }

  /**
   * Calls a function of the low-level IR.
   *
   * @return 0, or the status of a failure
   */
  static long call(MemorySegment code, long block, long from, long to, long scratch) {
    try {
      return (long) CALL.invokeExact(code, block, from, to, scratch);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("a downcall raises nothing", e);
    }
  }
}
