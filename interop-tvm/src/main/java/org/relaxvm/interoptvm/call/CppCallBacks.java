package org.relaxvm.interoptvm.call;

import org.relaxvm.interoptvm.abi.NativeObject;
import org.relaxvm.interoptvm.abi.TypeTable;

/**
 * What external modules in C++ call back (docs/spec/native-library.md, section 3.4). As in {@link
 * CallBacks}, nothing leaves these methods but their result.
 */
final class CppCallBacks {
  private CppCallBacks() {}

  /** Reports an error that is an object, which stays the caller's. */
  static void errorSetRaised(long error) {
    try {
      NativeThread.current()
          .error
          .set(NativeObject.errorKind(error), NativeObject.errorMessage(error));
    } catch (Throwable e) {
      CallBacks.fail(e);
    }
  }

  /** The calls of native code that led to an error: none are known. */
  static long backtrace(long file, int line, long function, int acrossBoundary) {
    return TypeTable.NO_BYTES;
  }

  /** Describes a type; one that is not known is described as an object. */
  static long typeInfo(int index) {
    return TypeTable.info(index);
  }
}
