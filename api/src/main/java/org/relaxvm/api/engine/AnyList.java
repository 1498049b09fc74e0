package org.relaxvm.api.engine;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.Managed;
import org.relaxvm.api.ScalarTag;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.FirstFailure;

/**
 * A list of values of any kind, as the bodies of compiled functions get their registers, constants
 * and functions. A list of registers owns its values and can be written; the others are views.
 * Cells are tagged values, as registers of bytecode are. Not thread-safe.
 *
 * <p>Source: docs/spec/vm-codegen.md, section 5.1.
 */
public final class AnyList {
  private final @Nullable Object[] refs;
  private final long[] bits;
  private final boolean writable;
  private final int result;

  private AnyList(int size, boolean writable, int result) {
    this.refs = new Object[size];
    this.bits = new long[size];
    this.writable = writable;
    this.result = result;
  }

  /**
   * Registers, all null.
   *
   * @param result the cell that the function leaves its result in
   */
  public static AnyList registers(int size, int result) {
    return new AnyList(size, true, result);
  }

  /** Values that are borrowed and cannot be written. */
  public static AnyList view(List<@Nullable Object> values) {
    AnyList list = new AnyList(values.size(), false, -1);
    for (int i = 0; i < values.size(); i++) {
      list.put(i, values.get(i));
    }
    return list;
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
    return refs.length;
  }

  /** The value of a cell, borrowed; a scalar boxed. */
  public @Nullable Object get(int index) {
    Object ref = refs[checked(index)];
    return ref instanceof ScalarTag tag ? tag.box(bits[index]) : ref;
  }

  /** Writes a cell, which retains the value and releases the one before. */
  public void set(int index, @Nullable Object value) {
    requireWritable(checked(index));
    Managed.retain(value);
    Object old = refs[index];
    put(index, value);
    Managed.release(old);
  }

  /** Writes an argument of a call into a cell, which retains it. */
  public void setArgument(int index, CallArgs args, int argument) {
    Object ref = args.ref(argument);
    Managed.retain(ref);
    move(index, ref, args.bits(argument));
  }

  /** Moves a tagged value with its owner into a cell, which releases the one before. */
  public void move(int index, @Nullable Object ref, long scalar) {
    requireWritable(checked(index));
    Object old = refs[index];
    refs[index] = ref;
    bits[index] = scalar;
    if (old instanceof Managed managed) {
      managed.release();
    }
  }

  /** The value of a cell with its owner, a scalar boxed; the cell is null afterwards. */
  public @Nullable Object take(int index) {
    Object value = get(index);
    refs[index] = null;
    return value;
  }

  /** The reference halves of all cells: for a view of the arguments of a call. */
  public @Nullable Object[] refs() {
    return refs;
  }

  /** The scalar halves of all cells. */
  public long[] bits() {
    return bits;
  }

  /** Releases all values, each even if others fail. */
  public void clear() {
    Throwable failure = null;
    for (int i = 0; i < refs.length; i++) {
      Object old = refs[i];
      refs[i] = null;
      try {
        Managed.release(old);
      } catch (RuntimeException | Error e) {
        failure = FirstFailure.of(failure, e);
      }
    }
    FirstFailure.raise(failure);
  }

  private void put(int index, @Nullable Object value) {
    ScalarTag tag = ScalarTag.of(value);
    refs[index] = tag != null ? tag : value;
    bits[index] = tag != null && value != null ? tag.bitsOf(value) : 0;
  }

  private void requireWritable(int index) {
    if (!writable) {
      throw new CallException(
          ErrorKind.VALUE,
          "constants and functions cannot be written, but cell " + index + " is written");
    }
  }

  private int checked(int index) {
    if (index < 0 || index >= refs.length) {
      throw new CallException(
          ErrorKind.INDEX, "cell " + index + " of a list of " + refs.length + " cells");
    }
    return index;
  }

  @Override
  public String toString() {
    @Nullable Object[] values = new Object[refs.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = get(i);
    }
    return Arrays.toString(values);
  }
}
