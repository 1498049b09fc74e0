package org.relaxvm.compiler.named;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.TypeKeys;
import org.relaxvm.api.Value;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.pass.Pass;
import org.relaxvm.compiler.pass.PassContext;

/**
 * A packed function as a pass. It is given the module as an object and returns a module, as an
 * object or in Relax IR, which is checked. A function that returns its argument changes nothing.
 *
 * <p>Rationale: docs/rationale/compiler.md, "Why do packed passes get the module as an object?"
 *
 * @param name of the pass, which is that of the function
 * @param function borrows the object, whose tensors are those of the module
 * @param modules writes the object
 */
record PackedPass(String name, PackedFunc function, ModuleValues modules) implements Pass {
  /**
   * {@inheritDoc}
   *
   * @throws CallException a {@code TypeError} when the function gives no module, a {@code
   *     RuntimeError} when it fails otherwise than by an error of RelaxVM
   * @throws org.relaxvm.api.error.InvalidProgramException when an object cannot hold the module, or
   *     the result is not well formed
   */
  @Override
  public IRModule run(IRModule module, PassContext context) {
    Object given = modules.object(module);
    try (Value result = call(given)) {
      Object made = result.object();
      if (given.equals(made)) {
        return module;
      }
      if (made == null || !ModuleValues.isModule(made)) {
        throw noModule(made);
      }
      return ModuleValues.read(made);
    }
  }

  private Value call(Object given) {
    try {
      return function.invoke(given);
    } catch (RelaxException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new CallException(ErrorKind.RUNTIME, "the function " + name + " failed: " + e, e);
    }
  }

  private CallException noModule(@Nullable Object made) {
    return new CallException(
        ErrorKind.TYPE,
        "the function "
            + name
            + " gave no module\n  expected: an object of the type "
            + ModuleValues.KEY
            + "\n  got: "
            + TypeKeys.of(made));
  }
}
