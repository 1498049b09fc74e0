package org.relaxvm.compiler.named;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/** Options of a pass, by position; those that are left out or null have their default. */
record PassOptions(CallArgs args) {
  private boolean isAbsent(int index) {
    return index >= args.count() || args.isNull(index);
  }

  int integer(int index, int byDefault) {
    return isAbsent(index) ? byDefault : args.intAt(index);
  }

  boolean bool(int index, boolean byDefault) {
    return isAbsent(index) ? byDefault : args.booleanAt(index);
  }

  String string(int index) {
    return args.stringAt(index);
  }

  @Nullable String stringOrNull(int index) {
    return isAbsent(index) ? null : args.stringAt(index);
  }

  /** The strings of an array; none where it is left out. */
  List<String> strings(int index) {
    if (isAbsent(index)) {
      return List.of();
    }
    List<?> array =
        switch (args.at(index)) {
          case Tuple tuple -> tuple.fields();
          case List<?> list -> list;
          case null, default -> throw args.mismatch(index, "ffi.Array");
        };
    return array.stream().map(element -> requireType(index, String.class, element)).toList();
  }

  /** A map from names to values of a type. */
  <T> SequencedMap<String, T> map(int index, Class<T> type) {
    if (!(args.at(index) instanceof Map<?, ?> given)) {
      throw args.mismatch(index, "ffi.Map");
    }
    SequencedMap<String, T> map = new LinkedHashMap<>();
    given.forEach(
        (name, value) ->
            map.put(requireType(index, String.class, name), requireType(index, type, value)));
    return map;
  }

  /** Refuses an option that RelaxVM has no counterpart of. */
  void requireAbsent(int index, String why) {
    if (!isAbsent(index)) {
      throw new CallException(
          ErrorKind.VALUE,
          "argument #" + index + " must be null, but is " + args.at(index) + ": " + why);
    }
  }

  private static <T> T requireType(int index, Class<T> type, @Nullable Object value) {
    if (type.isInstance(value)) {
      return type.cast(value);
    }
    throw new CallException(
        ErrorKind.TYPE,
        "argument #"
            + index
            + " must contain values of the class "
            + type.getSimpleName()
            + ", but has "
            + value);
  }
}
