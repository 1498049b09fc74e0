package org.relaxvm.objects.function;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.object.ObjectTypes;
import org.relaxvm.objects.compare.CompareOptions;
import org.relaxvm.objects.compare.StructuralEquality;
import org.relaxvm.objects.graph.ObjectGraph;

/** Objects as JSON text and back, and their comparison. Thread-safe. */
final class GraphFunctions {
  private final Supplier<ObjectTypes> types;

  GraphFunctions(Supplier<ObjectTypes> types) {
    this.types = types;
  }

  void addTo(BiConsumer<String, PackedFunc> target) {
    target.accept("ffi.FromJSONGraphString(text)", this::parse);
    target.accept("ffi.ToJSONGraphString(object, metadata)", this::print);
    target.accept(
        "ffi.StructuralEqual(left, right, map_free_vars, skip_tensor_content)", this::areEqual);
  }

  private void parse(CallArgs args, CallResult result) {
    args.requireCount("ffi.FromJSONGraphString(text)", 1);
    result.set(ObjectGraph.parse(args.stringAt(0), types.get()).root());
  }

  private void print(CallArgs args, CallResult result) {
    Map<String, Object> metadata = args.count() > 1 ? metadata(args) : Map.of();
    Object root = Containers.asField(args.at(0));
    result.set(new ObjectGraph(root, metadata).toJson(types.get()));
  }

  private static Map<String, Object> metadata(CallArgs args) {
    Object given = args.at(1);
    if (given == null) {
      return Map.of();
    }
    if (!(given instanceof Map<?, ?> map)) {
      throw args.mismatch(1, "ffi.Map");
    }
    Map<String, Object> metadata = new LinkedHashMap<>();
    map.forEach((name, value) -> metadata.put(String.valueOf(name), value));
    return metadata;
  }

  private void areEqual(CallArgs args, CallResult result) {
    CompareOptions options =
        new CompareOptions(
            args.count() > 2 && args.booleanAt(2), args.count() > 3 && args.booleanAt(3));
    @Nullable Object left = Containers.asField(args.at(0));
    @Nullable Object right = Containers.asField(args.at(1));
    result.setBoolean(StructuralEquality.areEqual(left, right, types.get(), options));
  }
}
