package org.relaxvm.compiler.named;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.object.ObjectNode;
import org.relaxvm.api.object.ObjectTypes;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.objects.ModuleObjects;
import org.relaxvm.compiler.wellformed.WellFormed;

/** Modules as values of packed calls: in Relax IR, or as objects. Thread-safe. */
final class ModuleValues {
  /** The type key of modules. */
  static final String KEY = "ir.IRModule";

  private final Supplier<ObjectTypes> types = ObjectTypes.onDemand();

  /** Converts modules; the types of objects are looked for when the first one is written. */
  ModuleValues() {}

  /** Whether a value is a module in one of both forms. */
  static boolean isModule(@Nullable Object value) {
    return value instanceof IRModule || (value instanceof ObjectNode node && node.type().isA(KEY));
  }

  /**
   * The module of a value, checked.
   *
   * @param value for which {@link #isModule} holds
   * @throws org.relaxvm.api.error.InvalidProgramException if Relax IR cannot hold it, or it is not
   *     well formed
   */
  static IRModule read(Object value) {
    if (value instanceof IRModule module) {
      WellFormed.check(module);
      return module;
    }
    return ModuleObjects.read(value);
  }

  /**
   * A module as an object.
   *
   * @throws org.relaxvm.api.error.InvalidProgramException for what the types cannot hold
   */
  ObjectNode object(IRModule module) {
    return ModuleObjects.write(module, types.get());
  }

  /** The types of objects. */
  ObjectTypes types() {
    return types.get();
  }
}
