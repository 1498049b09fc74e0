package org.relaxvm.api.spi;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.relaxvm.api.PackedFunc;

/** A module over a map. */
record MapModule(String origin, Map<String, PackedFunc> functions) implements Module {
  @Override
  public Set<String> functionNames() {
    return functions.keySet();
  }

  @Override
  public Optional<PackedFunc> find(String name) {
    return Optional.ofNullable(functions.get(name));
  }
}
