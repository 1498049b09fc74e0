package org.relaxvm.interoptvm.call;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Managed;
import org.relaxvm.api.ScalarTag;
import org.relaxvm.api.Tensor;
import org.relaxvm.interoptvm.abi.Cell;
import org.relaxvm.interoptvm.abi.ObjectBlock;
import org.relaxvm.interoptvm.abi.TypeIndex;
import org.relaxvm.vmcore.interp.AnyList;

/**
 * A list of values as a compiled VM function sees it: registers, constants or functions, read and
 * written through three functions only (docs/spec/native-library.md, section 6.4). Belongs to one
 * call.
 */
final class ListView {
  private final AnyList list;
  // What stands for an element in compiled code, made when it is first asked for.
  private final long[] addresses;
  private final @Nullable Object[] shown;

  private ListView(AnyList list) {
    this.list = list;
    addresses = new long[list.size()];
    shown = new Object[list.size()];
  }

  /** A view of a list whose tensors compiled code can work on. */
  static ListView of(AnyList list) {
    for (int i = 0; i < list.size(); i++) {
      if (list.get(i) instanceof Tensor tensor
          && tensor.device().isHost()
          && !HostTensor.isReachable(tensor)) {
        // An argument, which is only read: a copy is as good.
        Tensor copy = tensor.toHost();
        try {
          list.set(i, copy);
        } finally {
          copy.close();
        }
      }
    }
    return new ListView(list);
  }

  /** Writes an element into a cell; it is valid until it is replaced. */
  void show(NativeThread thread, int index, long cell) {
    Object value = list.get(index);
    ScalarTag tag = ScalarTag.of(value);
    if (value == null) {
      Cell.put(cell, TypeIndex.NONE, 0);
    } else if (tag != null) {
      CellWriter.writeScalar(cell, tag, tag.bitsOf(value));
    } else if (!CellWriter.writeSimple(cell, value)) {
      long address = addressOf(thread, index, value);
      if (value instanceof Tensor tensor && isTakenByCompiledCode(tensor)) {
        Cell.put(cell, TypeIndex.DL_TENSOR_POINTER, ObjectBlock.body(address));
      } else {
        Cell.put(cell, TypeIndex.ofObject(value), address);
      }
    }
  }

  private static boolean isTakenByCompiledCode(Tensor tensor) {
    return tensor.device().isHost() ? HostTensor.isReachable(tensor) : tensor.isContiguous();
  }

  /** Replaces an element by what a cell holds, with its owner. */
  void move(NativeThread thread, int index, long cell) {
    Object value = CellReader.takeBoxed(thread, cell);
    try {
      list.set(index, value);
    } finally {
      Managed.release(value);
    }
  }

  /** Replaces an element by null. */
  void reset(int index) {
    list.set(index, null);
  }

  @SuppressWarnings("ReferenceEquality") // the very object that the address stands for
  private long addressOf(NativeThread thread, int index, Object value) {
    if (shown[index] != value) {
      addresses[index] = thread.objects.add(value, false);
      shown[index] = value;
    }
    return addresses[index];
  }
}
