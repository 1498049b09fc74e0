package org.relaxvm.interoptvm.call;

import java.lang.foreign.MemorySegment;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.interoptvm.abi.Cell;
import org.relaxvm.interoptvm.abi.TypeIndex;

/**
 * A function that Apache TVM 0.21 or newer compiled: its arguments are cells.
 *
 * <p>Source: docs/spec/native-library.md, section 3.
 */
public final class CellFunction extends NativeFunction {
  /**
   * A function at an address.
   *
   * @param name for messages
   * @param binding what its code may call
   */
  public CellFunction(String name, MemorySegment address, Binding binding) {
    super(name, address, binding);
  }

  @Override
  boolean invoke(
      NativeThread thread,
      MemorySegment function,
      StackRoom room,
      CallArgs args,
      CallResult result) {
    int count = args.count();
    long cells = CellWriter.writeArguments(thread, args);
    long resultCell = cells + (long) count * Cell.BYTES;
    thread.error.clear();
    if (room.call(thread, function, cells, count, resultCell) != 0) {
      return false;
    }
    if (Cell.type(resultCell) != TypeIndex.NONE) {
      CellReader.takeResult(thread, resultCell, result);
    }
    return true;
  }
}
