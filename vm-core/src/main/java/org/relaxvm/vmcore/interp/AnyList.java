package org.relaxvm.vmcore.interp;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Managed;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.FirstFailure;

/**
 * A list of values of any kind, as compiled functions get their registers, constants and functions.
 * A list of registers owns its values and can be written; the others are views. Scalars are boxed.
 * Not thread-safe.
 */
public final class AnyList {
  private final @Nullable Object[] cells;
  private final boolean writable;
  private final int result;

  private AnyList(@Nullable Object[] cells, boolean writable, int result) {
    this.cells = cells;
    this.writable = writable;
    this.result = result;
  }

  static AnyList registers(int size, int result) {
    return new AnyList(new Object[size], true, result);
  }

  static AnyList view(List<@Nullable Object> values) {
    return new AnyList(values.toArray(), false, -1);
  }

  /** Whether it is a list of registers: these can be written, and belong to one call. */
  public boolean isWritable() {
    return writable;
  }

  /** The cell of a list of registers that the function leaves its result in. */
  public int resultIndex() {
    return result;
  }

  /** The number of cells. */
  public int size() {
    return cells.length;
  }

  /** The value of a cell, borrowed. */
  public @Nullable Object get(int index) {
    return cells[checked(index)];
  }

  /** Writes a cell, which retains the value and releases the one before. */
  public void set(int index, @Nullable Object value) {
    int cell = checked(index);
    if (!writable) {
      throw new CallException(ErrorKind.VALUE, "constants and functions cannot be written");
    }
    Managed.retain(value);
    Object old = cells[cell];
    cells[cell] = value;
    Managed.release(old);
  }

  @Nullable Object take(int index) {
    Object value = cells[index];
    cells[index] = null;
    return value;
  }

  /** Releases all values, each even if others fail. */
  void clear() {
    Throwable failure = null;
    for (int i = 0; i < cells.length; i++) {
      Object old = cells[i];
      cells[i] = null;
      try {
        Managed.release(old);
      } catch (RuntimeException | Error e) {
        failure = FirstFailure.of(failure, e);
      }
    }
    FirstFailure.raise(failure);
  }

  private int checked(int index) {
    if (index < 0 || index >= cells.length) {
      throw new CallException(
          ErrorKind.INDEX, "cell " + index + " of a list of " + cells.length + " cells");
    }
    return index;
  }

  @Override
  public String toString() {
    return Arrays.toString(cells);
  }
}
