package org.relaxvm.api.fakes;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.spi.FunctionProvider;
import org.relaxvm.api.spi.SpiVersion;

/** Offers the functions of a map. */
public record FakeFunctionProvider(String name, Map<String, PackedFunc> functions)
    implements FunctionProvider {
  @Override
  public int spiVersion() {
    return SpiVersion.CURRENT;
  }

  @Override
  public Set<String> functionNames() {
    return functions.keySet();
  }

  @Override
  public Optional<PackedFunc> find(String functionName) {
    return Optional.ofNullable(functions.get(functionName));
  }
}
