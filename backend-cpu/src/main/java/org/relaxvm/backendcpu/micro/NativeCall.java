package org.relaxvm.backendcpu.micro;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** Calls emitted functions whose argument is the address of a block of arguments. */
final class NativeCall {
  private static final class Once {
    // A constant of the class, so that the JIT compiler inlines the call.
    static final MethodHandle HANDLE = handle();

    private Once() {}

    @SuppressWarnings("restricted") // code of this package, which the callers vouch for
    private static MethodHandle handle() {
      return Linker.nativeLinker().downcallHandle(FunctionDescriptor.ofVoid(JAVA_LONG));
    }
  }

  private NativeCall() {}

  /** Calls the code at an address with a block. */
  static void call(long code, long block) {
    try {
      Once.HANDLE.invokeExact(MemorySegment.ofAddress(code), block);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("a downcall raises nothing", e);
    }
  }
}
