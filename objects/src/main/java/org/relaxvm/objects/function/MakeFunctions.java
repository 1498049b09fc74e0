package org.relaxvm.objects.function;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.object.ObjectType;
import org.relaxvm.api.object.ObjectTypes;

/** Objects by the names of their type and fields. Thread-safe. */
final class MakeFunctions {
  private final Supplier<ObjectTypes> types;

  MakeFunctions(Supplier<ObjectTypes> types) {
    this.types = types;
  }

  void addTo(BiConsumer<String, PackedFunc> target) {
    target.accept("ffi.GetRegisteredTypeKeys()", this::typeKeys);
    target.accept("ffi.MakeObjectFromPackedArgs(type_key, name, value, ...)", this::make);
  }

  private void typeKeys(CallArgs args, CallResult result) {
    args.requireCount("ffi.GetRegisteredTypeKeys()", 0);
    List<String> keys = types.get().all().stream().map(ObjectType::key).toList();
    result.set(Containers.array(keys.toArray()));
  }

  private void make(CallArgs args, CallResult result) {
    ObjectType type = types.get().require(args.stringAt(0));
    if (args.count() % 2 == 0) {
      throw new CallException(
          ErrorKind.TYPE,
          "each field needs a name and a value\n  expected: an odd number of arguments\n  got: "
              + args.count());
    }
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    for (int i = 1; i < args.count(); i += 2) {
      values.put(args.stringAt(i), Containers.asField(args.at(i + 1)));
    }
    result.set(type.create(values));
  }
}
