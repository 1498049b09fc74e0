package org.relaxvm.interoptvm.call;

import java.util.Map;
import java.util.function.Supplier;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/**
 * The functions that libraries register while they are loaded, as builds for system libraries do.
 *
 * <p>Source: docs/spec/native-library.md, section 1.
 */
public final class SystemSymbols {
  private SystemSymbols() {}

  /**
   * Loads a library.
   *
   * @param symbols gets what the library's constructors register, by name, with its address
   */
  public static <T> T collect(Map<String, Long> symbols, Supplier<T> load) {
    NativeThread thread = NativeThread.current();
    Map<String, Long> outer = thread.systemSymbols;
    thread.systemSymbols = symbols;
    try {
      return load.get();
    } finally {
      thread.systemSymbols = outer;
    }
  }

  static void register(NativeThread thread, String name, long address) {
    Map<String, Long> symbols = thread.systemSymbols;
    if (symbols == null) {
      throw new CallException(
          ErrorKind.RUNTIME,
          "compiled code registers the function '"
              + name
              + "' after its library was loaded; only constructors of a library can");
    }
    symbols.put(name, address);
  }
}
