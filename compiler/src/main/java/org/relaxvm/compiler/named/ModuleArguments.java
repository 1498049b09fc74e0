package org.relaxvm.compiler.named;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.object.ObjectNode;
import org.relaxvm.compiler.ir.IRModule;

/**
 * Modules among the arguments of calls, in both forms. A result has the form of the argument.
 *
 * @param values converts them
 */
record ModuleArguments(ModuleValues values) {
  /**
   * The module, checked.
   *
   * @throws org.relaxvm.api.error.CallException a {@code TypeError} if the argument is none
   */
  IRModule at(CallArgs args, int index) {
    return ModuleValues.read(require(args, index));
  }

  /** The module as an object. */
  ObjectNode objectAt(CallArgs args, int index) {
    Object value = require(args, index);
    return value instanceof IRModule module ? values.object(module) : (ObjectNode) value;
  }

  private static Object require(CallArgs args, int index) {
    @Nullable Object value = args.at(index);
    if (!ModuleValues.isModule(value)) {
      throw args.mismatch(index, ModuleValues.KEY);
    }
    return Objects.requireNonNull(value);
  }

  /** A module in the form of the argument that it was made of. */
  Object like(CallArgs args, int index, IRModule module) {
    return args.at(index) instanceof IRModule ? module : values.object(module);
  }
}
