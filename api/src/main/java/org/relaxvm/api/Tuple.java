package org.relaxvm.api;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/**
 * A list of values of any kind (TVM's {@code ffi.Array}). Scalars are held boxed.
 *
 * <p>The tuple owns its fields: they live as long as it does. Its length is fixed; a field changes
 * only through {@link #reset}, which every reference to this tuple sees.
 *
 * <p>Threads: reading is safe from many threads; resetting needs the program's own order.
 */
public final class Tuple extends Managed {
  private static final int MAX_HANDLE_DEPTH = 1_000;
  private static final int MAX_HANDLES = 1 << 20;
  private static final int MAX_TEXT_DEPTH = 16;
  private static final int MAX_TEXT = 1 << 14;

  private final @Nullable Object[] fields;

  // The fields of a user's tuple are handles too, which the user may close before the tuple.
  private final boolean fieldsAreHandles;

  private Tuple(@Nullable Object[] fields, boolean fieldsAreHandles) {
    this.fields = fields;
    this.fieldsAreHandles = fieldsAreHandles;
  }

  /** A tuple of values, each of which is retained. */
  public static Tuple of(@Nullable Object... values) {
    Tuple made = ofOwned(values.clone());
    Managed.retainAll(made.fields);
    return made;
  }

  /** A tuple that takes the array and the caller's owner of each value in it. */
  public static Tuple ofOwned(@Nullable Object[] values) {
    return new Tuple(values, false);
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
   * @throws CallException a {@code ValueError} when tuples are nested more than 1,000 deep, or more
   *     than 1,048,576 values are reached, each counted as often as it is: a program can share
   *     fields so that their number doubles with each level
   */
  @Override
  public Tuple newHandle() {
    return new HandleCopy().of(this, 1);
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

  /** The fields in brackets; what is nested deep or very long is cut short with dots. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    appendTo(text, 1);
    return text.toString();
  }

  private void appendTo(StringBuilder text, int depth) {
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

  /** Makes handles of a tuple and all that it holds, within bounds. */
  private static final class HandleCopy {
    private int values;

    Tuple of(Tuple source, int depth) {
      Tuple made = new Tuple(new Object[source.fields.length], true);
      boolean done = false;
      try {
        values += source.fields.length;
        if (depth > MAX_HANDLE_DEPTH || values > MAX_HANDLES) {
          throw tooLarge();
        }
        for (int i = 0; i < source.fields.length; i++) {
          Object field = source.fields[i];
          if (field instanceof Tuple tuple) {
            made.fields[i] = of(tuple, depth + 1);
          } else {
            made.fields[i] = field instanceof Managed managed ? managed.newHandle() : field;
          }
        }
        done = true;
        return made;
      } finally {
        if (!done) {
          made.close();
        }
      }
    }

    private static CallException tooLarge() {
      return new CallException(
          ErrorKind.VALUE,
          "a tuple is too large to be given out\n  expected: tuples nested at most "
              + MAX_HANDLE_DEPTH
              + " deep, with at most "
              + MAX_HANDLES
              + " values, each counted as often as it is reached");
    }
  }
}
