package org.relaxvm.objects.function;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.object.ObjectTypes;
import org.relaxvm.api.spi.FunctionProvider;
import org.relaxvm.api.spi.SpiVersion;

/**
 * Offers functions over objects by their global names. The types are those that are found when the
 * first function that needs types is called.
 *
 * <p>Thread-safe.
 */
public final class ObjectFunctions implements FunctionProvider {
  private final Map<String, PackedFunc> functions = new HashMap<>();

  /** Creates the provider. */
  public ObjectFunctions() {
    Supplier<ObjectTypes> types = ObjectTypes.onDemand();
    new GraphFunctions(types).addTo(this::add);
    new MakeFunctions(types).addTo(this::add);
    ContainerFunctions.addTo(this::add);
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
    return "objects";
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
