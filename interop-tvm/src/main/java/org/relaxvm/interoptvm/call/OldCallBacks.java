package org.relaxvm.interoptvm.call;

import org.relaxvm.interoptvm.abi.Cell;
import org.relaxvm.interoptvm.abi.RawMemory;
import org.relaxvm.interoptvm.abi.TypeIndex;

/**
 * What code of Apache TVM 0.20 and older calls back in a way of its own
 * (docs/spec/relay-register-vm.md, section 15.6). As in {@link CallBacks}, nothing leaves these
 * methods but their result.
 */
final class OldCallBacks {
  private OldCallBacks() {}

  /** Calls the function of a handle. */
  static int functionCall(
      long function, long values, long codes, int count, long resultValue, long resultCode) {
    try {
      NativeThread thread = NativeThread.current();
      int chunk = thread.memory.chunk();
      long top = thread.memory.top();
      boolean kept = false;
      try {
        long cells = cells(thread, new ValueArrays(values, codes), count);
        long result = cells + (long) count * Cell.BYTES;
        CallBacks.call(thread, function, cells, count, result);
        int type = Cell.type(result);
        // Plain strings and bytes lie in the same memory, and live until the outer call ends.
        kept = type == TypeIndex.STRING || type == TypeIndex.BYTES;
        ValueArrays.write(thread, result, resultValue, resultCode);
      } finally {
        if (!kept) {
          thread.memory.release(chunk, top);
        }
      }
      return CallBacks.OK;
    } catch (Throwable e) {
      return CallBacks.fail(e);
    }
  }

  private static long cells(NativeThread thread, ValueArrays arrays, int count) {
    long cells = thread.memory.allocate((count + 1L) * Cell.BYTES);
    for (int i = 0; i < count; i++) {
      ValueArrays.read(arrays.value(i), arrays.code(i), cells + (long) i * Cell.BYTES);
    }
    return cells;
  }

  /** Reports an error. */
  static void errorSet(long message) {
    try {
      NativeThread.current().error.set(RawMemory.string(message));
    } catch (Throwable e) {
      CallBacks.fail(e);
    }
  }
}
