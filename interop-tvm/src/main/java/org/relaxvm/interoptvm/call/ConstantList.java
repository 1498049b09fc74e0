package org.relaxvm.interoptvm.call;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.engine.AnyList;
import org.relaxvm.interoptvm.abi.Cell;
import org.relaxvm.interoptvm.abi.ListCells;
import org.relaxvm.interoptvm.abi.ObjectBlock;

/**
 * The constants or functions of a program as its compiled functions see them: cells in native
 * memory, written once, and the objects that they refer to. Immutable and thread-safe.
 */
final class ConstantList {
  private final MemorySegment memory;
  private final long cells;
  private final List<Object> objects;

  private ConstantList(MemorySegment memory, long cells, List<Object> objects) {
    this.memory = memory;
    this.cells = cells;
    this.objects = List.copyOf(objects);
  }

  /** The cells of a list that cannot be written. */
  static ConstantList of(AnyList list) {
    int count = list.size();
    @Nullable Object[] values = new Object[count];
    long bytes = ListCells.bytes(count);
    for (int i = 0; i < count; i++) {
      values[i] = reachable(list.get(i));
      bytes += blockBytes(values[i]);
    }
    MemorySegment memory = Arena.ofAuto().allocate(bytes, Cell.BYTES);
    long cells = ListCells.init(memory.address(), count, false);
    List<Object> objects = new ArrayList<>();
    long[] next = {cells + (long) count * Cell.BYTES};
    for (int i = 0; i < count; i++) {
      CellWriter.writeElement(
          cells + (long) i * Cell.BYTES,
          values[i],
          object -> {
            long address = next[0];
            next[0] += blockBytes(object);
            ObjectBodies.put(address, object, objects.size());
            objects.add(object);
            return address;
          });
    }
    return new ConstantList(memory, cells, objects);
  }

  private static long blockBytes(@Nullable Object value) {
    long bytes = ObjectBodies.bytes(ObjectBodies.rank(value));
    return (bytes + Cell.BYTES - 1) & -Cell.BYTES;
  }

  /** A constant that compiled code can work on: a copy is as good, as it is only read. */
  private static @Nullable Object reachable(@Nullable Object value) {
    return value instanceof Tensor tensor
            && tensor.device().isHost()
            && !HostTensor.isReachable(tensor)
        ? tensor.toHost()
        : value;
  }

  /** The address of the first cell. */
  long cells() {
    return cells;
  }

  /** Whether an address stands for one of the objects. */
  boolean holds(long address) {
    long offset = address - memory.address();
    return offset >= 0
        && offset <= memory.byteSize() - ObjectBlock.BYTES
        && ObjectBlock.isAt(address);
  }

  /** The object of an address that {@link #holds} accepts, borrowed. */
  Object get(long address) {
    return objects.get(ObjectBlock.index(address));
  }
}
