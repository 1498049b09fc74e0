package org.relaxvm.api.spi;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.relaxvm.api.PackedFunc;

/**
 * A provider whose functions are made when it is constructed. The constructor of a subclass adds
 * them; thread-safe from then on.
 */
public abstract class FunctionTable implements FunctionProvider {
  private final Map<String, PackedFunc> functions = new HashMap<>();

  /** A table without functions. */
  protected FunctionTable() {}

  /**
   * Adds a function, whose errors name the signature.
   *
   * @param signature the name, and the arguments in parentheses, such as {@code acme.scale(tensor)}
   */
  protected final void add(String signature, PackedFunc function) {
    String name = signature.substring(0, signature.indexOf('('));
    functions.put(name, PackedFunc.named(signature, function));
  }

  /** Adds functions by name. */
  protected final void addAll(Map<String, PackedFunc> others) {
    functions.putAll(others);
  }

  @Override
  public final Set<String> functionNames() {
    return Set.copyOf(functions.keySet());
  }

  @Override
  public final Optional<PackedFunc> find(String name) {
    return Optional.ofNullable(functions.get(name));
  }
}
