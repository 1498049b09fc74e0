package org.relaxvm.api;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/**
 * A list of values of any kind (TVM's {@code ffi.Array}). Scalars are held boxed.
 *
 * <p>A tuple with a {@link #tag} other than 0 is a datatype: one constructor of several, such as
 * the empty list or an element of a list and its tail.
 *
 * <p>The tuple owns its fields: they live as long as it does. Its length is fixed; a field changes
 * only through {@link #reset}, which every reference to this tuple sees.
 *
 * <p>Threads: reading is safe from many threads; resetting needs the program's own order.
 */
public final class Tuple extends Managed {
  private static final int MAX_HANDLES = 1 << 20;
  private static final int MAX_TEXT_DEPTH = 16;
  private static final int MAX_TEXT = 1 << 14;

  private final @Nullable Object[] fields;
  private final long tag;

  // The fields of a user's tuple are handles too, which the user may close before the tuple.
  private final boolean fieldsAreHandles;

  private Tuple(@Nullable Object[] fields, long tag, boolean fieldsAreHandles) {
    this.fields = fields;
    this.tag = tag;
    this.fieldsAreHandles = fieldsAreHandles;
  }

  /** A tuple of values, each of which is retained. */
  public static Tuple of(@Nullable Object... values) {
    return tagged(0, values);
  }

  /**
   * A datatype.
   *
   * @param tag tells the constructors of a datatype apart; 0 makes a plain tuple
   * @param values the fields, each of which is retained
   */
  public static Tuple tagged(long tag, @Nullable Object... values) {
    Tuple made = ofOwned(tag, values.clone());
    Managed.retainAll(made.fields);
    return made;
  }

  /** A tuple that takes the array and the caller's owner of each value in it. */
  public static Tuple ofOwned(@Nullable Object[] values) {
    return ofOwned(0, values);
  }

  /** A datatype that takes the array and the caller's owner of each value in it. */
  public static Tuple ofOwned(long tag, @Nullable Object[] values) {
    return new Tuple(values, tag, false);
  }

  /** Which constructor of its datatype made this value; 0 for a plain tuple. */
  public long tag() {
    return tag;
  }

  /** The number of fields. */
  public int size() {
    return fields.length;
  }

  /**
   * Field {@code index}, borrowed: it lives as long as this tuple.
   *
   * @throws CallException an {@code IndexError} when there is no such field
   */
  public @Nullable Object get(long index) {
    return fields[checked(index)];
  }

  /** Field {@code index} as a value, borrowed: closing this tuple ends it. */
  public Value at(long index) {
    return Value.borrowed(get(index));
  }

  /** Replaces field {@code index} by null, for all who refer to this tuple. */
  public void reset(long index) {
    int i = checked(index);
    Object old = fields[i];
    fields[i] = null;
    give(old);
  }

  /** All fields, borrowed, as an unmodifiable view. */
  public List<@Nullable Object> fields() {
    return Collections.unmodifiableList(Arrays.asList(fields));
  }

  /**
   * {@inheritDoc}
   *
   * <p>Tuples may be nested to any depth.
   *
   * @throws CallException a {@code ValueError} when more than 1,048,576 values are reached, each
   *     counted as often as it is: a program can share fields so that their number doubles with
   *     each level
   */
  @Override
  public Tuple newHandle() {
    Tuple outermost = emptyHandle();
    boolean done = false;
    try {
      outermost.fillHandles(this);
      done = true;
      return outermost;
    } finally {
      if (!done) {
        outermost.close();
      }
    }
  }

  private Tuple emptyHandle() {
    return new Tuple(new Object[fields.length], tag, true);
  }

  // Not recursive: a program decides how deep it nests tuples. A tuple that is made becomes a field
  // of another before it is filled, so that closing the outermost one closes all.
  private void fillHandles(Tuple source) {
    ArrayDeque<Tuple> unfilled = new ArrayDeque<>(List.of(source, this));
    long values = counted(fields.length);
    while (!unfilled.isEmpty()) {
      Tuple from = unfilled.removeFirst();
      Tuple to = unfilled.removeFirst();
      for (int i = 0; i < from.fields.length; i++) {
        if (from.fields[i] instanceof Tuple inner) {
          values = counted(values + inner.fields.length);
          Tuple made = inner.emptyHandle();
          to.fields[i] = made;
          unfilled.addLast(inner);
          unfilled.addLast(made);
        } else {
          to.fields[i] =
              from.fields[i] instanceof Managed managed ? managed.newHandle() : from.fields[i];
        }
      }
    }
  }

  private static long counted(long values) {
    if (values > MAX_HANDLES) {
      throw new CallException(
          ErrorKind.VALUE,
          "a tuple is too large to be given out\n  expected: at most "
              + MAX_HANDLES
              + " values in it and in the tuples that it holds, each counted as often as it is"
              + " reached");
    }
    return values;
  }

  @Override
  @Nullable Object[] parts() {
    return fields;
  }

  @Override
  boolean partsAreHandles() {
    return fieldsAreHandles;
  }

  /** Does nothing: a tuple holds only its fields. */
  @Override
  protected void dispose() {}

  @Override
  protected String describeKind() {
    return "tuple";
  }

  private void give(@Nullable Object field) {
    if (field instanceof Managed managed) {
      if (fieldsAreHandles) {
        managed.close();
      } else {
        managed.release();
      }
    }
  }

  private int checked(long index) {
    if (index < 0 || index >= fields.length) {
      throw new CallException(
              ErrorKind.INDEX,
              "there is no field "
                  + index
                  + " in a tuple of "
                  + fields.length
                  + (fields.length == 1 ? " field" : " fields"))
          .withTvmMessage("Index " + index + " out of bounds " + fields.length);
    }
    return (int) index;
  }

  /**
   * The fields in brackets, after the tag of a datatype, such as {@code #1[5, []]}; what is nested
   * deep or very long is cut short with dots.
   */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    appendTo(text, 1);
    return text.toString();
  }

  private void appendTo(StringBuilder text, int depth) {
    if (tag != 0) {
      text.append('#').append(tag);
    }
    text.append('[');
    for (int i = 0; i < fields.length; i++) {
      text.append(i == 0 ? "" : ", ");
      boolean nested = fields[i] instanceof Tuple;
      if (text.length() > MAX_TEXT || (nested && depth == MAX_TEXT_DEPTH)) {
        text.append("...");
        break;
      }
      if (fields[i] instanceof Tuple tuple) {
        tuple.appendTo(text, depth + 1);
      } else {
        text.append(fields[i]);
      }
    }
    text.append(']');
  }
}
