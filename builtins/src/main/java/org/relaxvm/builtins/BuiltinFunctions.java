package org.relaxvm.builtins;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.spi.FunctionProvider;
import org.relaxvm.api.spi.SpiVersion;

/**
 * Offers every builtin. An instance has its own registry of functions called by name, which all
 * programs linked through it share.
 *
 * <p>Thread-safe.
 */
public final class BuiltinFunctions implements FunctionProvider {
  private final Map<String, PackedFunc> functions = new HashMap<>();

  /** Creates the provider; nothing is allocated on any device. */
  public BuiltinFunctions() {
    functions.putAll(ShapeBuiltins.functions());
    functions.putAll(CheckBuiltins.functions());
    functions.putAll(MemoryBuiltins.functions());
    functions.putAll(TensorBuiltins.functions());
    functions.putAll(ClosureBuiltins.functions());
    functions.putAll(TupleBuiltins.functions());
    functions.putAll(ControlBuiltins.functions());
    functions.putAll(new PyFunctionBuiltins().functions());
  }

  @Override
  public int spiVersion() {
    return SpiVersion.CURRENT;
  }

  @Override
  public String name() {
    return "builtins";
  }

  @Override
  public Set<String> functionNames() {
    return Set.copyOf(functions.keySet());
  }

  @Override
  public Optional<PackedFunc> find(String name) {
    return Optional.ofNullable(functions.get(name));
  }
}
