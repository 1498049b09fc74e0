package org.relaxvm.objects.function;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.Managed;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/** Arrays and maps, element by element. */
final class ContainerFunctions {
  private ContainerFunctions() {}

  static void addTo(BiConsumer<String, PackedFunc> target) {
    target.accept(
        "ffi.Array(element, ...)", (args, result) -> result.set(Containers.array(args.toArray())));
    target.accept("ffi.ArraySize(array)", (args, result) -> result.setLong(arrayAt(args).size()));
    target.accept("ffi.ArrayGetItem(array, index)", ContainerFunctions::element);
    target.accept("ffi.Map(key, value, ...)", ContainerFunctions::map);
    target.accept("ffi.MapSize(map)", (args, result) -> result.setLong(mapAt(args).size()));
    target.accept("ffi.MapGetItem(map, key)", ContainerFunctions::entry);
  }

  private static List<?> arrayAt(CallArgs args) {
    return switch (args.at(0)) {
      case Tuple tuple -> tuple.fields();
      case List<?> list -> list;
      case null, default -> throw args.mismatch(0, "ffi.Array");
    };
  }

  private static void element(CallArgs args, CallResult result) {
    List<?> array = arrayAt(args);
    long index = args.longAt(1);
    if (index < 0 || index >= array.size()) {
      throw new CallException(
          ErrorKind.INDEX, "the index " + index + " is outside of an array of " + array.size());
    }
    set(result, array.get((int) index));
  }

  private static void map(CallArgs args, CallResult result) {
    if (args.count() % 2 != 0) {
      throw new CallException(
          ErrorKind.TYPE,
          "each key needs a value\n  expected: an even number of arguments\n  got: "
              + args.count());
    }
    Map<@Nullable Object, @Nullable Object> map = new LinkedHashMap<>();
    for (int i = 0; i < args.count(); i += 2) {
      map.put(Containers.asField(args.at(i)), Containers.asField(args.at(i + 1)));
    }
    result.set(Collections.unmodifiableMap(map));
  }

  private static void entry(CallArgs args, CallResult result) {
    Map<?, ?> map = mapAt(args);
    Object key = args.at(1);
    if (!map.containsKey(key)) {
      throw new CallException(
          ErrorKind.INDEX, "the map has no key " + key + "\n  it has: " + map.keySet());
    }
    set(result, map.get(key));
  }

  private static Map<?, ?> mapAt(CallArgs args) {
    if (args.at(0) instanceof Map<?, ?> map) {
      return map;
    }
    throw args.mismatch(0, "ffi.Map");
  }

  /** A part of a container as the result, which has an owner of its own. */
  private static void set(CallResult result, @Nullable Object value) {
    Managed.retain(value);
    result.set(value);
  }
}
