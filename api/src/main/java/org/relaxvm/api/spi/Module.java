package org.relaxvm.api.spi;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.relaxvm.api.CallEffects;
import org.relaxvm.api.PackedFunc;

/**
 * Functions loaded together: the kernels of a program, a device's kernel library, a native library.
 * The VM resolves names across all modules when it is constructed (InitFuncPool).
 *
 * <p>Thread-safe. The functions of a module may be called until it is closed.
 */
public interface Module extends AutoCloseable {
  /** Where the functions come from, for messages: a file, a jar, a device. */
  String origin();

  /**
   * Where one function comes from, for {@code placement()}: {@link #origin} with whatever else
   * computes it, such as a library of a device's vendor.
   */
  default String originOf(String function) {
    return origin();
  }

  /** The names of all functions of this module itself, without imports. */
  Set<String> functionNames();

  /** The function of a name in this module itself, without imports. */
  Optional<PackedFunc> find(String name);

  /** Modules that this one contains; searched after it, in order. */
  default List<Module> imports() {
    return List.of();
  }

  /**
   * This module and all that it contains, in the order in which names are searched: a module, then
   * its imports, depth first. Each once, where it comes first.
   */
  default List<Module> withImports() {
    List<Module> order = new ArrayList<>();
    Set<Module> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    // Not recursive: a file may decide how deep it goes.
    ArrayDeque<Module> next = new ArrayDeque<>(List.of(this));
    while (!next.isEmpty()) {
      Module module = next.pop();
      if (seen.add(module)) {
        order.add(module);
        module.imports().reversed().forEach(next::push);
      }
    }
    return order;
  }

  /**
   * The function of a name in this module or, depth first, in its imports. A module that several
   * import is asked once.
   */
  default Optional<PackedFunc> findWithImports(String name) {
    for (Module module : withImports()) {
      Optional<PackedFunc> found = module.find(name);
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  /**
   * What calls of a function of this module itself read and write. A kernel whose effects are known
   * may run at the same time as others, see {@code VmBuilder.parallelism}.
   */
  default CallEffects effectsOf(String function) {
    return CallEffects.UNKNOWN;
  }

  /**
   * Why this module lacks a function of the image that it was loaded from, such as a dtype that the
   * device does not compute. Empty when it has it, or does not know.
   */
  default Optional<String> lacks(String name) {
    return Optional.empty();
  }

  /** Releases what the module holds; its functions must not be called afterwards. */
  @Override
  default void close() {}

  /** A module over a map of functions. */
  static Module of(String origin, Map<String, PackedFunc> functions) {
    return of(origin, functions, Map.of());
  }

  /** A module over maps of functions and of what is known of their effects. */
  static Module of(
      String origin, Map<String, PackedFunc> functions, Map<String, CallEffects> effects) {
    record MapModule(
        String origin, Map<String, PackedFunc> functions, Map<String, CallEffects> effects)
        implements Module {
      @Override
      public Set<String> functionNames() {
        return functions.keySet();
      }

      @Override
      public Optional<PackedFunc> find(String name) {
        return Optional.ofNullable(functions.get(name));
      }

      @Override
      public CallEffects effectsOf(String function) {
        return effects.getOrDefault(function, CallEffects.UNKNOWN);
      }
    }

    return new MapModule(origin, Map.copyOf(functions), Map.copyOf(effects));
  }

  /** A module without functions. */
  static Module empty(String origin) {
    return of(origin, Map.of());
  }
}
