package org.relaxvm.backendcpu.vector;

/**
 * Called with what a loop asks the memory that it writes: the JIT compiler then knows the class of
 * the memory there. Without, it takes each store for one that may change the segments themselves,
 * and checks them again.
 */
final class NativeMemory {
  private NativeMemory() {}

  /**
   * Refuses Java arrays.
   *
   * @param isNative asked by the caller, since what the compiler learns stays in the method that
   *     asks
   */
  static void require(boolean isNative) {
    if (!isNative) {
      throw new IllegalArgumentException("the elements must be in native memory");
    }
  }
}
