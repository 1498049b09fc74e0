package org.relaxvm.backendtestkit.broken;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.api.spi.Module;
import org.relaxvm.backendtestkit.reference.ReferenceDevice;

/** Reference devices whose kernel library is wrong in one place each. */
final class BrokenKernels extends ReferenceDevice {
  private final Supplier<Module> library;

  private BrokenKernels(DeviceId id, Consumer<Map<String, PackedFunc>> breakOne) {
    super(id);
    library =
        () -> {
          Module sound = super.library();
          Map<String, PackedFunc> functions = new HashMap<>();
          for (String name : sound.functionNames()) {
            functions.put(name, sound.find(name).orElseThrow());
          }
          breakOne.accept(functions);
          return Module.of(sound.origin(), functions);
        };
  }

  @Override
  public Module library() {
    return library.get();
  }

  static BrokenKernels subtractsTheWrongWay(DeviceId id) {
    return new BrokenKernels(
        id,
        functions -> {
          PackedFunc sound = Objects.requireNonNull(functions.get("relaxvm.subtract"));
          functions.put(
              "relaxvm.subtract",
              (args, result) -> {
                @Nullable Object[] values = args.toArray();
                if (values.length == 3) {
                  Object first = values[0];
                  values[0] = values[1];
                  values[1] = first;
                }
                sound.call(CallArgs.of(args.contextOrNull(), values), result);
              });
        });
  }

  static BrokenKernels offersANameOutsideTheTable(DeviceId id) {
    return new BrokenKernels(
        id, functions -> functions.put("relaxvm.frobnicate", (args, result) -> {}));
  }

  static BrokenKernels doesNotCheckRelu(DeviceId id) {
    return new BrokenKernels(
        id,
        functions -> {
          PackedFunc sound = Objects.requireNonNull(functions.get("relaxvm.relu"));
          functions.put(
              "relaxvm.relu",
              (args, result) -> {
                try {
                  sound.call(args, result);
                } catch (RelaxException e) {
                  throw new IllegalStateException("relu failed", e);
                }
              });
        });
  }
}
