package org.relaxvm.vmcore.vm;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.Managed;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.ScalarTag;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.TypeKeys;
import org.relaxvm.api.Value;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/**
 * Java values as arguments of a call. Tuples that are made from lists are owned by the conversion,
 * which is closed after the call.
 */
final class Conversion implements AutoCloseable {
  private final @Nullable Object[] values;
  private List<Tuple> made = List.of(); // most calls have none

  private Conversion(@Nullable Object[] values) {
    this.values = values;
  }

  /**
   * Converts the arguments of a call.
   *
   * @throws CallException a {@code TypeError} for a value that no program can take
   */
  static Conversion of(String function, @Nullable Object[] given) {
    Conversion conversion = new Conversion(new Object[given.length]);
    boolean done = false;
    try {
      for (int i = 0; i < given.length; i++) {
        conversion.values[i] = conversion.convert(function, i, given[i]);
      }
      done = true;
      return conversion;
    } finally {
      if (!done) {
        conversion.close();
      }
    }
  }

  /** The converted values, borrowed. */
  @Nullable Object[] values() {
    return values;
  }

  private @Nullable Object convert(String function, int index, @Nullable Object value) {
    return switch (value) {
      case null -> null;
      case Managed managed -> managed;
      case Shape shape -> shape;
      case String string -> string;
      case DType dtype -> dtype;
      case DeviceId device -> device;
      case PackedFunc packed -> packed;
      case byte[] bytes -> bytes;
      case Value wrapped -> wrapped.object();
      case List<?> list -> tuple(function, index, list);
      default -> {
        ScalarTag tag = ScalarTag.of(value);
        if (tag == null && !TypeKeys.isObject(value)) {
          throw refused(function, index, value);
        }
        yield tag == null ? value : tag.box(tag.bitsOf(value));
      }
    };
  }

  private Tuple tuple(String function, int index, List<?> list) {
    @Nullable Object[] fields = new Object[list.size()];
    for (int i = 0; i < fields.length; i++) {
      fields[i] = convert(function, index, list.get(i));
    }
    Tuple tuple = Tuple.of(fields);
    made = made.isEmpty() ? new ArrayList<>() : made;
    made.add(tuple);
    return tuple;
  }

  private static CallException refused(String function, int index, Object value) {
    String remedy =
        value.getClass().isArray()
            ? "\n  what to do: wrap it: Tensor.of(array, shape) makes a tensor, Shape.of(...) a"
                + " shape, List.of(...) a tuple"
            : "\n  expected: Tensor, Shape, Tuple or List, String, DType, DeviceId, Closure,"
                + " PackedFunc, Value, byte[], boxed numbers and booleans, objects of classes with"
                + " @TypeKey, and null";
    return new CallException(
        ErrorKind.TYPE,
        "argument #"
            + index
            + " of function "
            + function
            + " is a "
            + value.getClass().getTypeName()
            + ", which a program cannot take"
            + remedy);
  }

  /** Releases the tuples that were made. */
  @Override
  public void close() {
    for (Tuple tuple : made) {
      tuple.release();
    }
  }
}
