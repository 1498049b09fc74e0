package org.relaxvm.interoptvm.functions;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.spi.FunctionProvider;
import org.relaxvm.api.spi.SpiVersion;

/**
 * Offers the functions. An instance has its own random numbers, of each thread.
 *
 * <p>Thread-safe.
 */
public final class RuntimeFunctions implements FunctionProvider {
  private final Map<String, PackedFunc> functions = new HashMap<>();

  /** Creates the provider; its random numbers start with the time. */
  public RuntimeFunctions() {
    functions.putAll(SortFunctions.functions());
    functions.putAll(new RandomFunctions().functions());
    functions.putAll(DeviceFunctions.functions());
  }

  @Override
  public int spiVersion() {
    return SpiVersion.CURRENT;
  }

  @Override
  public String name() {
    return "tvm-runtime";
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
