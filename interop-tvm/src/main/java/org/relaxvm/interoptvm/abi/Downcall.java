package org.relaxvm.interoptvm.abi;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;

/**
 * Handles that call native functions by address. They are not <em>critical</em> ones: what they
 * call may call back.
 */
public final class Downcall {
  private Downcall() {}

  /** The handle of a signature, whose first argument is the address; to be kept in a constant. */
  @SuppressWarnings("restricted") // whoever has an address of this signature may call it
  public static MethodHandle of(FunctionDescriptor signature) {
    return Linker.nativeLinker().downcallHandle(signature);
  }

  /**
   * What to throw in place of what a downcall has thrown: functions of C raise nothing, but the JVM
   * may.
   *
   * @throws Error if that is it
   */
  public static RuntimeException raised(Throwable e) {
    return switch (e) {
      case RuntimeException known -> known;
      case Error fatal -> throw fatal;
      default -> new IllegalStateException("a downcall raises nothing", e);
    };
  }
}
