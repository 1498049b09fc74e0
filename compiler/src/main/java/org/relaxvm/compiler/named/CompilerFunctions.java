package org.relaxvm.compiler.named;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.spi.FunctionProvider;
import org.relaxvm.api.spi.SpiVersion;

/**
 * Offers passes, compilation and modules by their global names.
 *
 * <p>Thread-safe.
 */
public final class CompilerFunctions implements FunctionProvider {
  private final Map<String, PackedFunc> functions = new HashMap<>();

  /** Creates the provider; types of objects and passes of other jars are looked for when needed. */
  public CompilerFunctions() {
    ModuleArguments modules = new ModuleArguments(new ModuleValues());
    PassArguments passes = new PassArguments();
    new TransformFunctions(modules, passes).addTo(this::add);
    new BuildFunctions(modules, passes).addTo(this::add);
    new ModuleFunctions(modules).addTo(this::add);
  }

  /** Takes functions with their signatures. */
  @FunctionalInterface
  interface Target {
    /**
     * Adds a function.
     *
     * @param signature the name, and the arguments in parentheses
     */
    void add(String signature, PackedFunc function);
  }

  private void add(String signature, PackedFunc function) {
    String name = signature.substring(0, signature.indexOf('('));
    functions.put(name, PackedFunc.named(signature, function));
  }

  @Override
  public int spiVersion() {
    return SpiVersion.CURRENT;
  }

  @Override
  public String name() {
    return "compiler";
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
