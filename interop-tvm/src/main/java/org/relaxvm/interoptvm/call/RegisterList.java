package org.relaxvm.interoptvm.call;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Managed;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.engine.AnyList;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.interoptvm.abi.Cell;
import org.relaxvm.interoptvm.abi.ListCells;
import org.relaxvm.interoptvm.abi.TypeIndex;

/**
 * The registers of a compiled function while it runs: cells in native memory, which machine code of
 * the shim reads and writes (docs/spec/native-library.md, section 6.4). It leaves to the methods
 * here what needs Java: releasing an object that is replaced, taking over what is not {@linkplain
 * Cell#isOwned owned}, and errors.
 *
 * <p>Objects in cells belong to the thread's {@link ObjectTable}; those of arguments are borrowed.
 * Belongs to one call.
 *
 * <p>Rationale: docs/rationale/interop-tvm.md, "Why are registers of compiled functions native
 * cells?"
 */
final class RegisterList {
  private final AnyList list;
  private final long cells;

  private RegisterList(AnyList list, long cells) {
    this.list = list;
    this.cells = cells;
  }

  /** The cells of a list of registers, in the thread's memory. */
  static RegisterList of(NativeThread thread, AnyList list) {
    int count = list.size();
    long cells = ListCells.init(thread.memory.allocate(ListCells.bytes(count)), count, true);
    for (int i = 0; i < count; i++) {
      Object value = list.get(i);
      if (value != null) {
        CellWriter.writeElement(
            cells + (long) i * Cell.BYTES,
            reachable(list, i, value),
            object -> thread.objects.add(object, false));
      }
    }
    return new RegisterList(list, cells);
  }

  /** An argument that compiled code can work on: a copy is as good, as it is only read. */
  private static @Nullable Object reachable(AnyList list, int index, Object value) {
    if (value instanceof Tensor tensor
        && tensor.device().isHost()
        && !HostTensor.isReachable(tensor)) {
      Tensor copy = tensor.toHost();
      try {
        list.set(index, copy);
      } finally {
        copy.close();
      }
    }
    return list.get(index);
  }

  /** The address of the first cell. */
  long cells() {
    return cells;
  }

  /** Replaces an element by what a cell holds, with its owner. */
  void move(NativeThread thread, int index, long source) {
    long cell = checked(index);
    int type = Cell.type(source);
    if (type >= TypeIndex.OBJECT && Cell.isOwned(source)) {
      long word = Cell.word(source);
      Cell.put(source, TypeIndex.NONE, 0);
      replace(thread, cell, type, word);
    } else {
      Object value = CellReader.takeBoxed(thread, source);
      clear(thread, cell);
      CellWriter.writeElement(cell, value, object -> thread.objects.add(object, true));
    }
  }

  /** Replaces an element by null. */
  void reset(NativeThread thread, int index) {
    clear(thread, checked(index));
  }

  /** Gives the result to the list of the virtual machine. */
  void finish(NativeThread thread) {
    int result = list.resultIndex();
    Object value = CellReader.takeBoxed(thread, checked(result));
    try {
      list.set(result, value);
    } finally {
      Managed.release(value);
    }
  }

  private static void clear(NativeThread thread, long cell) {
    replace(thread, cell, TypeIndex.NONE, 0);
  }

  private static void replace(NativeThread thread, long cell, int type, long word) {
    int before = Cell.type(cell);
    long object = Cell.word(cell);
    Cell.put(cell, type, word);
    if (before >= TypeIndex.OBJECT && thread.objects.holds(object)) {
      thread.objects.drop(object);
    }
  }

  private long checked(int index) {
    if (index < 0 || index >= list.size()) {
      throw new CallException(
          ErrorKind.INDEX, "cell " + index + " of a list of " + list.size() + " cells");
    }
    return cells + (long) index * Cell.BYTES;
  }
}
