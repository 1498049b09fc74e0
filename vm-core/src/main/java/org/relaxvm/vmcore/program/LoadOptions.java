package org.relaxvm.vmcore.program;

/**
 * How a program is loaded. Immutable.
 *
 * @param allowNativeCode whether a reader may load a native library that comes with the program;
 *     loading one runs its code, so it must be trusted
 */
public record LoadOptions(boolean allowNativeCode) {
  /** No native code is loaded. */
  public static final LoadOptions DEFAULT = new LoadOptions(false);

  /** The same with native code allowed or not. */
  public LoadOptions withNativeCode(boolean allowed) {
    return new LoadOptions(allowed);
  }
}
